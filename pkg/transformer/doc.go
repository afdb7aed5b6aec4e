// Package transformer holds the layers of Vaswani et al. (2017), "Attention Is All You Need", as functions that build graphs and read like
// the paper's equations: scaled dot-product attention, multi-head attention, sinusoidal positions, the position-wise feed-forward
// network, and the encoder's and the decoder's layers made of them. pkg/seq2seq trains and translates with them.
//
// Everything is batch-major: a sequence is [B,T,d], where d is d_model, queries, keys and values are [B,h,T,d/h] with h heads, weights of attention
// [B,h,T,S]. A mask is Bool, of a shape that broadcasts to the weights', and true where a query may look at a key.
//
// # What is GoMLX's
//
// The core, softmax(QKᵀ/√d)V under a mask, is GoMLX's attention.Core, and the normalisation nn.LayerNorm. Core's weights are 0 exactly
// where the mask is false, and a row without a key to look at gives zeros and finite gradients, on both engines; the tests here hold it to that, and
// compare it with PyTorch. GoMLX's layer around it, attention.MultiHeadAttention, is not taken: it has its weights started by a graph, which takes longer
// to compile for XLA than a small model's; it draws dropout from the store's random state, where a training here draws the same after an
// interruption; and it projects whole sequences, where a decoder that writes word by word keeps keys and values in a state that beams
// are gathered from. docs/transformer.md has what was measured.
package transformer
