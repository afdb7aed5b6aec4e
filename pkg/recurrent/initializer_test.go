package recurrent_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	. "seq2attn/pkg/recurrent"

	"github.com/gomlx/gomlx/support/exceptions"
)

func TestInitializers(t *testing.T) {
	rng := func() *rand.Rand { return rand.New(rand.NewPCG(3, 4)) }
	if got := Constant(2)(rng(), []int{2, 2}); !slices.Equal(got, []float64{2, 2, 2, 2}) {
		t.Errorf("Constant(2): %v", got)
	}
	if got := Blocks(0, 1, 2)(rng(), []int{6}); !slices.Equal(got, []float64{0, 0, 1, 1, 2, 2}) {
		t.Errorf("Blocks of a vector: %v", got)
	}
	if got := Blocks(0, 1)(rng(), []int{2, 2}); !slices.Equal(got, []float64{0, 1, 0, 1}) {
		t.Errorf("Blocks of a matrix: %v", got)
	}
	for _, c := range []struct {
		name             string
		start            Initializer
		limit, deviation float64
	}{
		{"Uniform", Uniform(0.08), 0.08, 0.08 / math.Sqrt(3)},
		{"Normal", Normal(0.01), 0.06, 0.01},
		{"Glorot", Glorot(1), math.Sqrt(6. / 500), math.Sqrt(2. / 500)},
		{"Glorot of 4 gates", Glorot(4), math.Sqrt(6. / 275), math.Sqrt(2. / 275)},
	} {
		values := c.start(rng(), []int{200, 300})
		var sum, squares, most float64
		for _, v := range values {
			sum += v
			squares += v * v
			most = max(most, math.Abs(v))
		}
		n := float64(len(values))
		if mean := sum / n; math.Abs(mean) > 4*c.deviation/math.Sqrt(n) {
			t.Errorf("%s: mean %g", c.name, mean)
		}
		if deviation := math.Sqrt(squares / n); math.Abs(deviation/c.deviation-1) > 0.02 || most > c.limit {
			t.Errorf("%s: deviation %g, want %g; largest %g, limit %g", c.name, deviation, c.deviation, most, c.limit)
		}
	}
}

func TestOrthogonal(t *testing.T) {
	const n, blocks = 17, 3
	u := Orthogonal()(rand.New(rand.NewPCG(3, 4)), []int{n, blocks * n})
	for block := range blocks {
		for i := range n {
			for j := range n {
				product := 0.0
				for k := range n {
					product += u[i*blocks*n+block*n+k] * u[j*blocks*n+block*n+k]
				}
				want := 0.0
				if i == j {
					want = 1
				}
				if math.Abs(product-want) > 1e-12 {
					t.Fatalf("block %d: rows %d and %d have inner product %g", block, i, j, product)
				}
			}
		}
	}
	if slices.Equal(u[:n], u[n:2*n]) {
		t.Error("two blocks are the same")
	}
}

func TestInitializersRefuse(t *testing.T) {
	for name, start := range map[string]func(){
		"Orthogonal of what is not square": func() { Orthogonal()(nil, []int{2, 3}) },
		"Orthogonal of a vector":           func() { Orthogonal()(nil, []int{2}) },
		"Glorot of a vector":               func() { Glorot(1)(nil, []int{2}) },
		"Blocks that do not fit":           func() { Blocks(0, 1)(nil, []int{3}) },
	} {
		if exceptions.TryCatch[error](start) == nil {
			t.Errorf("%s was taken", name)
		}
	}
}
