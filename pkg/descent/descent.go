// Package descent moves weights against their gradients. Its loops are C because they are the same few operations on millions of values, which a C compiler
// does four or more at a time and Go's one by one, in twice the time. Every operation is rounded as Go rounds it on the same processor, so both compute the same.
//
// A gradient is given as two summands a and b, those of the two parts of a batch. Slices that are not as long as the first one are a panic.
package descent

/*
#cgo CFLAGS: -O3
#cgo !amd64 LDFLAGS: -lm
#include "descent.h"
*/
import "C"

import (
	"fmt"
	"math"
	"unsafe"
)

// SumOfSquares is Σ(a+b)².
func SumOfSquares(a, b []float32) float64 {
	same(a, b)
	return float64(C.descent_squares(length(a), first(a), first(b)))
}

// Plain moves weights w by −rate·(a+b).
func Plain(w, a, b []float32, rate float32) {
	same(w, a, b)
	C.descent_plain(length(w), first(w), first(a), first(b), C.float(rate))
}

// Adam is update t, from 1, of weights w with moments m and v by the gradient g = scale·(a+b) (Kingma and Ba 2015, algorithm 1):
//
//	m = β₁m + (1−β₁)g,  v = β₂v + (1−β₂)g²,  w = w − rate · m/(1−β₁ᵗ) / (√(v/(1−β₂ᵗ)) + ε)
//
// with β₁ 0.9 and β₂ 0.999, which are the paper's, and ε 1e-7, which is GoMLX's.
func Adam(w, m, v, a, b []float32, scale float32, t int, rate float64) {
	same(w, m, v, a, b)
	step, grown := rate/(1-math.Pow(0.9, float64(t))), 1/(1-math.Pow(0.999, float64(t)))
	C.descent_adam(length(w), first(w), first(m), first(v), first(a), first(b), C.float(scale), C.float(step), C.float(grown))
}

func length(values []float32) C.size_t { return C.size_t(len(values)) }

func first(values []float32) *C.float { return (*C.float)(unsafe.SliceData(values)) }

func same(values ...[]float32) {
	for i, v := range values {
		if len(v) != len(values[0]) {
			panic(fmt.Sprintf("descent: argument %d has %d values, the first %d", i, len(v), len(values[0])))
		}
	}
}
