//go:build notebookdeps

// Package seq2attn names the packages outside this module that a cell may import, so that go.sum covers them.
package seq2attn

import (
	_ "github.com/gomlx/compute/gobackend"
	_ "github.com/gomlx/go-xla/compute/xla"
	_ "github.com/gomlx/gomlx/core/graph"
	_ "github.com/gomlx/gomlx/core/tensors"
	_ "github.com/gomlx/gomlx/ml/layers/attention"
	_ "github.com/gomlx/gomlx/ml/model/checkpoint"
	_ "github.com/gomlx/gomlx/ml/train/optimizer"
	_ "github.com/gomlx/gomlx/ui/commandline"
	_ "github.com/janpfeifer/gonb/cache"
	_ "github.com/janpfeifer/gonb/gonbui"
	_ "github.com/janpfeifer/gonb/gonbui/widgets"
	_ "github.com/janpfeifer/must"
	_ "golang.org/x/image/font/opentype"
	_ "golang.org/x/text/unicode/norm"
	_ "gonum.org/v1/plot"
	_ "gonum.org/v1/plot/plotter"
	_ "gonum.org/v1/plot/vg/vgimg"
	_ "gonum.org/v1/plot/vg/vgpdf"
	_ "gonum.org/v1/plot/vg/vgsvg"
)
