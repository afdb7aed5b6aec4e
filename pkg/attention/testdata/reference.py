"""Writes reference.json: attention's values and gradients as PyTorch computes them in float64, for every score in every window.

Run with: python reference.py (PyTorch 2.5.1). The equations are written out here a second time, from the papers, sentence by sentence
and without padding. The loss is the sum of the context times fixed numbers, so that its gradient passes through the context, the weights,
the window and the score to every input.
"""

import json
import math
import os

import torch

torch.set_default_dtype(torch.float64)
B, S, SIZE, D = 4, 9, 2, 2
LENGTHS = [9, 1, 4, 7]
POSITIONS = 8  # of the location score: one fewer than the longest source has
T = [3, 1, 4, 2]  # the centres of local-m
SIZES = {"dot": (4, 4), "scaled-dot": (4, 4)}  # of the states; all others compare states of two sizes


def parameters(score, window, query, value):
    dims = {
        "additive": {"W": (query, SIZE), "U": (value, SIZE), "v": (SIZE, 1)},
        "dot": {},
        "general": {"W_a": (query, value)},
        "concat": {"W_a": (query + value, SIZE), "v_a": (SIZE, 1)},
        "scaled-dot": {},
        "location": {"W_a": (query, POSITIONS)},
    }[score]
    if window == "local-p":
        dims = dims | {"W_p": (query, query), "v_p": (query, 1)}
    return dims


def score_of(score, w, s, h, j):
    """e_j for one sentence, j from 1."""
    h_j = h[j - 1]
    if score == "additive":
        return (torch.tanh(s @ w["W"] + h_j @ w["U"]) @ w["v"])[0]
    if score == "dot":
        return s @ h_j
    if score == "general":
        return s @ w["W_a"] @ h_j
    if score == "concat":
        return (torch.tanh(torch.cat([s, h_j]) @ w["W_a"]) @ w["v_a"])[0]
    if score == "scaled-dot":
        return s @ h_j / math.sqrt(len(s))
    return (s @ w["W_a"])[j - 1]


def weights(score, window, w, s, h, t):
    """Positions of the window, from 1, and their weights."""
    n = min(len(h), POSITIONS) if score == "location" else len(h)
    positions = list(range(1, n + 1))
    if window == "local-m":
        positions = [j for j in positions if t - D <= j <= t + D]
    if window == "local-p":
        p = n * torch.sigmoid(torch.tanh(s @ w["W_p"]) @ w["v_p"])[0]
        positions = [j for j in positions if p - D <= j <= p + D]
    alpha = torch.softmax(torch.stack([score_of(score, w, s, h, j) for j in positions]), 0)
    if window == "local-p":
        sigma = D / 2
        alpha = alpha * torch.stack([torch.exp(-((j - p) ** 2) / (2 * sigma**2)) for j in positions])
        alpha = alpha / alpha.sum()
    return positions, alpha


def case(score, window):
    query, value = SIZES.get(score, (3, 5))
    new = lambda *dims: torch.randn(*dims).requires_grad_()
    inputs = {"s": new(B, query), "h": new(B, S, value)} | {k: new(*d) for k, d in parameters(score, window, query, value).items()}
    r = torch.randn(B, value)
    alphas, loss = torch.zeros(B, S), 0
    for b, n in enumerate(LENGTHS):
        h = inputs["h"][b, :n]
        positions, alpha = weights(score, window, inputs, inputs["s"][b], h, T[b])
        loss = loss + (r[b] * sum(a * h[j - 1] for j, a in zip(positions, alpha))).sum()
        for j, a in zip(positions, alpha):
            alphas[b, j - 1] = a.detach()
    loss.backward()
    flat = lambda t: [round(v, 8) for v in t.detach().flatten().tolist()]
    return {
        "Score": score,
        "Window": window,
        "R": r.tolist(),
        "Alpha": [flat(row) for row in alphas],
        "Loss": loss.item(),
        "Names": list(inputs),
        "Inputs": {k: {"Dims": list(t.shape), "Values": flat(t), "Gradient": flat(t.grad)} for k, t in inputs.items()},
    }


def main():
    torch.manual_seed(3)
    scores = ["additive", "dot", "general", "concat", "scaled-dot", "location"]
    reference = {
        "PyTorch": torch.__version__,
        "Lengths": LENGTHS, "T": T, "Size": SIZE, "D": D, "Positions": POSITIONS,
        "Cases": [case(score, window) for score in scores for window in ["global", "local-m", "local-p"]],
    }
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "reference.json"), "w") as f:
        json.dump(reference, f, separators=(",", ":"))
        f.write("\n")


main()
