// Package recurrent makes the step of a recurrent network a differentiable operation over any number of steps, and holds the cells
// that are used as steps: [RNN], [GRU] and [LSTM].
//
// # A step
//
// A [Step] reads the carried state, one row of each per-step input and the shared inputs, and gives the next state and one row of each
// output. [Scan] runs it over the rows. A model is a few such functions that read like its paper's equations; [Layer] is the one that needs
// no more than a cell. Arrays are time-major: xs and ys [T,…], with a mask [T,B,…].
//
// All that a step reads comes in as an argument: Scan could not differentiate with respect to a variable or a node that a step took from its
// surroundings, and panics at one. Random numbers, for dropout say, are drawn before and come in as a per-step input. A product
// with a shared weight is best made by [Loop.Dot], which defers the weight's gradient.
//
// # How Scan differentiates
//
// GoMLX's While has no gradient. Scan gives it one, in graph.VJPRegistration, for the loops that Scan makes.
//
// Forward, one While runs the steps. Its state holds the carry, and buffers [T,…] into which every step writes its outputs, the
// carry that it began with, and the products made by [Loop.Dot] with what they multiplied. Where a graph takes no gradient XLA drops the buffers
// that only the gradient reads (seen in its optimised program), so that inference does not pay for them.
//
// Backward, a second While goes through the rows from the last to the first. Its body builds the step again on the carry that was saved,
// and graph.Gradient differentiates it there: what is cheap, gates and attention weights, is computed again, and products are read from the
// buffers. Gradients of xs are written row by row, those of shared inputs are summed. For a weight in Dot the loop only writes the gradient of the
// product, [T,B,out]; the weight's own gradient is one product over all T·B rows after the loop instead of T small ones and their
// sum. The weight may be used otherwise too: both parts are added. Where the gradient of a product is that of an input too, because the two were added, it is
// written once.
//
// What a model computes of all steps at once, before or after its loop, is best made by [Affine].
//
// A graph built this way has one size for any T, and with [Steps] one compiled graph serves all lengths.
//
// # Measured
//
// Processor time of the first update (compilation included) and of each later one, of a GRU encoder-decoder with additive attention and clipped Adam on
// batches of 64; go test -bench Update -benchtime 30x on two x86-64 cores that had other work too, so take ratios from it and no more:
//
//	                                    loop on XLA        written out on XLA   written out, pure Go
//	V 400, E 32, H 64, T 12             4.2 s, 22 ms       16 s, 18 ms          0.4 s, 244 ms
//	V 4,000, E 128, H 256, T 20         4.6 s, 448 ms      32 s, 446 ms
//
// # Where there is no loop
//
// On engines that cannot loop, GoMLX's pure Go one among them, and inside another Scan, the same call writes the steps out one
// after another; [CanLoop] says why, and [Unrolled] asks for it. Results are the same but for rounding.
//
// # What it refuses
//
// Scan panics, naming the shapes or the node, at: arguments whose lengths or batches do not fit; T of 0; a carry that changes its shape, its
// type or its number; a node, variable or parameter that the step did not get as an argument; a Dot whose weight is not
// shared; a step that builds other products when it is built again; complex numbers; and a second derivative.
//
// # What it stands on
//
// Closures of the pinned GoMLX and go-xla mix up cached constants and reductions; closure.go works round it and names the lines.
package recurrent
