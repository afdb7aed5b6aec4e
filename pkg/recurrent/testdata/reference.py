"""Writes reference.json: values and gradients of PyTorch's recurrent layers on a padded batch, for the tests of package recurrent.

    python reference.py > reference.json        (made with Python 3.11, torch 2.5.1; the versions used are in the file)

All in float64. RNN, LSTM and GRU are torch.nn's, bidirectional on a packed sequence, so that each direction starts at its own end of each
sequence; the GRU of Cho et al. (2014), which torch.nn does not have, is written out below, one sequence at a time. Matrices are
stored as [in, out], the transpose of PyTorch's.
"""
import json
import platform
import sys

import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

T, B, E, H = 5, 4, 3, 2
LENGTHS = [3, 5, 1, 4]
torch.manual_seed(20141001)
torch.set_default_dtype(torch.float64)


def uniform(*shape):
    return torch.empty(*shape).uniform_(-0.9, 0.9).requires_grad_()


def cho(x, h0, weights, reverse):
    """Equations 5 to 8 of Cho et al. (2014), gates in the order r, z, n."""
    w, b, urz, u = weights
    outputs = torch.zeros(T, B, H)
    last = []
    for j, length in enumerate(LENGTHS):
        h = h0[j]
        for t in reversed(range(length)) if reverse else range(length):
            wx = x[t, j] @ w + b
            uh = h @ urz
            r = torch.sigmoid(wx[:H] + uh[:H])
            z = torch.sigmoid(wx[H:2 * H] + uh[H:])
            n = torch.tanh(wx[2 * H:] + (r * h) @ u)
            h = z * h + (1 - z) * n
            outputs = outputs.index_put((torch.tensor(t), torch.tensor(j)), h)
        last.append(h)
    return outputs, [torch.stack(last)]


def library(kind, x, states, weights):
    """torch.nn's layer in both directions; weights and states are a list for each direction."""
    layer = kind(E, H, bidirectional=True)
    parameters = {}
    for suffix, (w, b, u, c) in zip(["", "_reverse"], weights):
        parameters |= {"weight_ih_l0" + suffix: w.T, "weight_hh_l0" + suffix: u.T, "bias_ih_l0" + suffix: b, "bias_hh_l0" + suffix: c}
    initial = tuple(torch.stack(both) for both in zip(*states))
    packed = pack_padded_sequence(x, LENGTHS, enforce_sorted=False)
    outputs, last = torch.func.functional_call(layer, parameters, (packed, initial if len(initial) > 1 else initial[0]))
    outputs, _ = pad_packed_sequence(outputs, total_length=T)
    last = last if isinstance(last, tuple) else (last,)
    return [(outputs[:, :, d * H:(d + 1) * H], [s[d] for s in last]) for d in range(2)]


def case(name, reverse, x, state, names, weights, outputs, last):
    """Values, and the gradients of a sum of all results with fixed factors."""
    factors = [torch.sin(torch.arange(o.numel()) + k).reshape(o.shape) for k, o in enumerate([outputs] + last)]
    loss = sum((o * f).sum() for o, f in zip([outputs] + last, factors))
    inputs = [x] + state + weights
    gradients = torch.autograd.grad(loss, inputs, retain_graph=True)
    return {
        "cell": name, "reverse": reverse,
        "x": x.tolist(), "state": [s.tolist() for s in state], "weights": dict(zip(names, (w.tolist() for w in weights))),
        "outputs": outputs.tolist(), "last": [s.tolist() for s in last],
        "gradients": {"x": gradients[0].tolist(), "state": [d.tolist() for d in gradients[1:1 + len(state)]],
                      "weights": dict(zip(names, (d.tolist() for d in gradients[1 + len(state):])))},
    }


cases = []
for name, kind, gates, states in [("RNN", torch.nn.RNN, 1, 1), ("GRU reset after", torch.nn.GRU, 3, 1), ("LSTM", torch.nn.LSTM, 4, 2)]:
    x = uniform(T, B, E)
    state = [[uniform(B, H) for _ in range(states)] for _ in range(2)]
    weights = [[uniform(E, gates * H), uniform(gates * H), uniform(H, gates * H)] for _ in range(2)]
    names = ["W", "b", "U"]
    if name == "GRU reset after":
        names.append("c")
        for w in weights:
            w.append(uniform(gates * H))
    full = [w if len(w) == 4 else w + [torch.zeros(gates * H)] for w in weights]
    for reverse, (outputs, last) in enumerate(library(kind, x, state, full)):
        cases.append(case(name, bool(reverse), x, state[reverse], names, weights[reverse], outputs, last))
for reverse in [False, True]:
    x, h0 = uniform(T, B, E), uniform(B, H)
    weights = [uniform(E, 3 * H), uniform(3 * H), uniform(H, 2 * H), uniform(H, H)]
    outputs, last = cho(x, h0, weights, reverse)
    cases.append(case("GRU", reverse, x, [h0], ["W", "b", "U_rz", "U"], weights, outputs, last))

json.dump({"torch": torch.__version__, "python": platform.python_version(), "lengths": LENGTHS, "cases": cases}, sys.stdout, indent=None)
print()
