"""Writes reference.json: attention's values and gradients as PyTorch computes them in float64.

Run with: python reference.py (PyTorch 2.5.1). The loss is the sum of the context times fixed numbers, so that its gradient passes
through the context, the weights and the score to every input.
"""

import json
import os

import torch

torch.set_default_dtype(torch.float64)
B, S, QUERY, VALUE, SIZE = 3, 4, 3, 5, 2
LENGTHS = [4, 1, 2]


def main():
    torch.manual_seed(3)
    new = lambda *dims: torch.randn(*dims).requires_grad_()
    inputs = {"s": new(B, QUERY), "h": new(B, S, VALUE), "W": new(QUERY, SIZE), "U": new(VALUE, SIZE), "v": new(SIZE, 1)}
    r = torch.randn(B, VALUE)
    alphas, loss = [], 0
    for b, n in enumerate(LENGTHS):
        h = inputs["h"][b, :n]
        e = torch.stack([torch.tanh(inputs["s"][b] @ inputs["W"] + h[j] @ inputs["U"]) @ inputs["v"] for j in range(n)])[:, 0]
        alpha = torch.softmax(e, 0)
        loss = loss + (r[b] * (alpha @ h)).sum()
        alphas.append(alpha.tolist() + [0.0] * (S - n))
    loss.backward()
    reference = {
        "PyTorch": torch.__version__,
        "Lengths": LENGTHS,
        "R": r.tolist(),
        "Alpha": alphas,
        "Loss": loss.item(),
        "Inputs": {k: {"Dims": list(t.shape), "Values": t.flatten().tolist(), "Gradient": t.grad.flatten().tolist()} for k, t in inputs.items()},
    }
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "reference.json"), "w") as f:
        json.dump(reference, f, indent=1)
        f.write("\n")


main()
