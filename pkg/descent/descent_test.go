package descent

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// lengths have tails of every size beside whole vectors.
var lengths = []int{0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 33, 255, 256, 257, 1000, 1003}

// The same in Go, one value after another: equal to the last bit, but where compilers may multiply and add at once, and Go's and C's do not choose the same places.
func TestLikeGo(t *testing.T) {
	for _, n := range lengths {
		random := rand.New(rand.NewPCG(uint64(n), 1))
		a, b, w, m, v := normal(n, random), normal(n, random), normal(n, random), normal(n, random), squared(normal(n, random))
		var sums [4]float64
		for k := range a {
			g := float64(a[k] + b[k])
			if k >= n/4*4 {
				sums[0] += g * g
			} else {
				sums[k%4] += g * g
			}
		}
		if got, want := SumOfSquares(a, b), sums[0]+sums[1]+sums[2]+sums[3]; math.Abs(got-want) > 1e-14*want {
			t.Errorf("%d values: the sum of squares is %g, not %g", n, got, want)
		}

		plain := slices.Clone(w)
		for k := range plain {
			plain[k] -= 0.1 * (a[k] + b[k])
		}
		got := slices.Clone(w)
		Plain(got, a, b, 0.1)
		compare(t, "plain", got, plain)

		const scale, step = float32(0.37), 3
		wantW, wantM, wantV := slices.Clone(w), slices.Clone(m), slices.Clone(v)
		rate, grown := float32(0.01/(1-math.Pow(0.9, step))), float32(1/(1-math.Pow(0.999, step)))
		for k := range wantW {
			g := scale * (a[k] + b[k])
			wantM[k] = 0.9*wantM[k] + (1-0.9)*g
			wantV[k] = 0.999*wantV[k] + (1-0.999)*g*g
			wantW[k] -= rate * wantM[k] / (float32(math.Sqrt(float64(grown*wantV[k]))) + 1e-7)
		}
		Adam(w, m, v, a, b, scale, step, 0.01)
		compare(t, "w", w, wantW)
		compare(t, "m", m, wantM)
		compare(t, "v", v, wantV)
	}
}

func compare(t *testing.T, name string, got, want []float32) {
	t.Helper()
	for k := range want {
		if math.Abs(float64(got[k]-want[k])) > 1e-6*math.Max(1, math.Abs(float64(want[k]))) {
			t.Fatalf("%s of %d: value %d is %g, not %g", name, len(want), k, got[k], want[k])
		}
	}
	if runtime.GOARCH == "amd64" && !slices.Equal(got, want) {
		t.Errorf("%s of %d is not equal to the last bit", name, len(want))
	}
}

// What is not finite stays so, and nothing beside it changes.
func TestNotFinite(t *testing.T) {
	nan := float32(math.NaN())
	if sum := SumOfSquares([]float32{1, nan, 3, 4, 5}, make([]float32, 5)); !math.IsNaN(sum) {
		t.Errorf("the sum of squares with a NaN is %g", sum)
	}
	if sum := SumOfSquares([]float32{1, float32(math.Inf(1))}, make([]float32, 2)); !math.IsInf(sum, 1) {
		t.Errorf("the sum of squares with an infinity is %g", sum)
	}
	if sum := SumOfSquares([]float32{1e30}, []float32{0}); sum < 0.99e60 {
		t.Errorf("the square of 1e30 is %g", sum)
	}
	if sum := SumOfSquares(nil, nil); sum != 0 {
		t.Errorf("the sum of nothing is %g", sum)
	}
}

func TestRefusesOtherLengths(t *testing.T) {
	two, three := make([]float32, 2), make([]float32, 3)
	for name, call := range map[string]func(){
		"squares": func() { SumOfSquares(two, three) },
		"plain":   func() { Plain(two, two, three, 1) },
		"adam":    func() { Adam(three, three, two, three, three, 1, 1, 1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s took slices of different lengths", name)
				}
			}()
			call()
		}()
	}
}

func normal(n int, random *rand.Rand) []float32 {
	values := make([]float32, n)
	for i := range values {
		values[i] = float32(random.NormFloat64())
	}
	return values
}

func squared(values []float32) []float32 {
	for i, v := range values {
		values[i] = v * v
	}
	return values
}

func BenchmarkAdam(b *testing.B) {
	const size = 1 << 20
	random := rand.New(rand.NewPCG(1, 2))
	w, m, v, x, y := make([]float32, size), make([]float32, size), make([]float32, size), normal(size, random), normal(size, random)
	b.SetBytes(8 * 4 * size)
	t := 0
	for b.Loop() {
		t++
		Adam(w, m, v, x, y, 1/float32(math.Sqrt(SumOfSquares(x, y))), t, 0.001)
	}
}
