package corpus

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// DigitOptions describes a made-up task on sequences of digits. The zero value of a field takes the default named with it.
type DigitOptions struct {
	// Digits is how many different ones there are: 10. Beyond 10 they are numbers, still one token each.
	Digits int
	// MinLength and MaxLength bound the length of a sequence, drawn uniformly; 6 and MinLength.
	MinLength, MaxLength int
	// Train, Dev and Test are the numbers of pairs; 2000, 200 and 200 where all three are 0.
	Train, Dev, Test int
	Seed             uint64
}

// ReverseDigits is the task of writing a sequence backwards. Its alignment is the anti-diagonal: target word i comes from
// source word n-1-i.
func ReverseDigits(o DigitOptions) (Data, error) {
	return digits("reverse", o, func(source []int) []int {
		from := identity(len(source))
		slices.Reverse(from)
		return from
	})
}

// CopyDigits is the task of repeating a sequence. Its alignment is the diagonal.
func CopyDigits(o DigitOptions) (Data, error) {
	return digits("copy", o, func(source []int) []int { return identity(len(source)) })
}

// SortDigits is the task of writing a sequence in ascending order. Equal digits keep their order in the alignment.
func SortDigits(o DigitOptions) (Data, error) {
	return digits("sort", o, func(source []int) []int {
		from := identity(len(source))
		slices.SortStableFunc(from, func(i, j int) int { return source[i] - source[j] })
		return from
	})
}

// identity is 0, 1, …, n-1.
func identity(n int) []int {
	from := make([]int, n)
	for i := range from {
		from[i] = i
	}
	return from
}

// digits makes a task of a permutation: target word i is source word from(source)[i]. No source occurs twice.
func digits(name string, o DigitOptions, from func(source []int) []int) (Data, error) {
	if o.Digits == 0 {
		o.Digits = 10
	}
	if o.MinLength == 0 {
		o.MinLength = 6
		if o.MaxLength != 0 {
			o.MinLength = min(6, o.MaxLength)
		}
	}
	if o.MaxLength == 0 {
		o.MaxLength = o.MinLength
	}
	if o.Train == 0 && o.Dev == 0 && o.Test == 0 {
		o.Train, o.Dev, o.Test = 2000, 200, 200
	}
	switch {
	case o.Digits < 1:
		return Data{}, fmt.Errorf("corpus: DigitOptions.Digits is %d: give 1 or more", o.Digits)
	case o.MinLength < 1:
		return Data{}, fmt.Errorf("corpus: DigitOptions.MinLength is %d: give 1 or more", o.MinLength)
	case o.MaxLength < o.MinLength:
		return Data{}, fmt.Errorf("corpus: DigitOptions.MaxLength is %d, less than MinLength %d", o.MaxLength, o.MinLength)
	}
	if err := checkCounts("DigitOptions", o.Train, o.Dev, o.Test); err != nil {
		return Data{}, err
	}

	// left is how many sequences of each length have not been drawn yet.
	n := o.Train + o.Dev + o.Test
	var lengths []int
	left, all := map[int]int{}, 0
	for length := o.MinLength; length <= o.MaxLength; length++ {
		left[length] = int(min(math.Pow(float64(o.Digits), float64(length)), math.MaxInt32))
		lengths = append(lengths, length)
		all += left[length]
	}
	if all < n {
		return Data{}, fmt.Errorf("corpus: only %d sequences of %d to %d of %d digits exist, but %d pairs are wanted: ask for fewer pairs or longer sequences",
			all, o.MinLength, o.MaxLength, o.Digits, n)
	}
	random := rand.New(rand.NewPCG(o.Seed, 0))
	seen := make(map[string]bool, n)
	pairs := make([]Pair, 0, n)
	for len(pairs) < n {
		k := random.IntN(len(lengths))
		source := make([]int, lengths[k])
		for i := range source {
			source[i] = random.IntN(o.Digits)
		}
		pair := permuted(source, from(source))
		if key := strings.Join(pair.Source, " "); !seen[key] {
			seen[key] = true
			pairs = append(pairs, pair)
			if left[lengths[k]]--; left[lengths[k]] == 0 {
				lengths = slices.Delete(lengths, k, k+1)
			}
		}
	}
	// Short lengths may have run out on the way; the shuffle gives all three parts the same mix.
	random.Shuffle(n, func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
	return Data{Name: name, Source: "digits", Target: "digits",
		Train: pairs[:o.Train:o.Train], Dev: pairs[o.Train : o.Train+o.Dev : o.Train+o.Dev], Test: pairs[o.Train+o.Dev:]}, nil
}

// permuted is the pair whose target word i is source word from[i].
func permuted(source, from []int) Pair {
	var p Pair
	for _, digit := range source {
		p.Source = append(p.Source, strconv.Itoa(digit))
	}
	for i, j := range from {
		p.Target = append(p.Target, p.Source[j])
		p.Links = append(p.Links, Link{Source: j, Target: i})
	}
	return p
}

// checkCounts is the error for a negative number of pairs; options names the struct it stands in.
func checkCounts(options string, train, dev, test int) error {
	for _, c := range []struct {
		field string
		n     int
	}{{"Train", train}, {"Dev", dev}, {"Test", test}} {
		if c.n < 0 {
			return fmt.Errorf("corpus: %s.%s is %d: give 0 or more", options, c.field, c.n)
		}
	}
	return nil
}
