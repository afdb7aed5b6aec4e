// Package plotting makes the course's figures and is the only package that talks to the notebook's front end.
//
// Every kind of figure is a struct of options whose method Figure makes a [Figure]: [Curves] (BLEU or another measure against
// length, with bands over seeds), [Loss], [Heatmap] (alignment), [Matrix], [Bars], [Diagram], and [Panels] of them. A Figure is shown by
// [Figure.Show] and saved by [Figure.Save], from one drawing, so that the picture in the notebook, the PNG on a slide and the
// PDF in a paper are the same. [Table] and [Markdown] show what is no picture, and [Live] what changes while a cell runs.
//
//	figure, err := plotting.Heatmap{Source: source, Target: target, Weights: weights}.Figure()
//	…
//	err = figure.Show()
//	err = figure.Save("figures/zone.pdf")
//
// Axes are gonum/plot's. Text is shaped by go-text/typesetting and drawn as outlines in every format, so that a file looks the
// same on a machine that has none of the fonts; in a PDF the letters lie invisibly above their outlines, to be searched and
// copied. Letters that the fonts in the binary lack come from the system's fonts; what no font has is named in
// [Figure.Warnings] and drawn as a box, never left blank.
//
// Colours are those of Okabe and Ito (2008), and no curve is told from another by colour alone.
package plotting
