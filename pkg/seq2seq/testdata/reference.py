"""Writes reference.json.gz: loss and gradients of small models, computed by PyTorch in float64: every wiring, and every score in every
window under every wiring that attends.

Run with: python reference.py (PyTorch 2.5.1, NumPy not needed). The equations are written out here a second time, from the
papers, step by step and without any of PyTorch's recurrent modules; only the gradients are PyTorch's.
"""

import gzip
import json
import math
import os

import torch

torch.set_default_dtype(torch.float64)
GATES = {"rnn": 1, "gru": 3, "lstm": 4}
S, T, B, V_X, V_Y, E, H, N, M = 5, 4, 4, 9, 8, 3, 4, 5, 3
X_LENGTHS = [5, 2, 0, 3]  # the third column is empty
Y_LENGTHS = [3, 4, 0, 1]
D, POSITIONS = 1, 4  # of a local window; of the location score, one fewer than the longest source has
ATTENTIONAL = ["luong", "luong-feeding"]


def make(case):
    weights = {}

    def new(name, *dims):
        weights[name] = (torch.randn(*dims) * 0.6).requires_grad_()

    def layer(name, inputs):
        new(name + "/W", inputs, GATES[case["Cell"]] * H)
        new(name + "/b", GATES[case["Cell"]] * H)
        if case["Cell"] == "gru":
            new(name + "/U_rz", H, 2 * H)
            new(name + "/U", H, H)
        else:
            new(name + "/U", H, GATES[case["Cell"]] * H)

    a = 2 * H if case["Bidirectional"] else H
    new("encoder/embedding", V_X, E)
    inputs = E
    for l in range(1, case["Layers"] + 1):
        layer(f"encoder/layer{l}/forward", inputs)
        if case["Bidirectional"]:
            layer(f"encoder/layer{l}/backward", inputs)
        inputs = a
    layers, wiring = range(1, case["Layers"] + 1), case["Wiring"]
    if wiring in ["sutskever"] + ATTENTIONAL and case["Bidirectional"]:
        for l in layers:
            for state in range(1, 3 if case["Cell"] == "lstm" else 2):
                new(f"bridge/W_{l}_{state}", a, H)
    if wiring == "cho":
        new("bridge/V", a, H)
        for l in layers:
            new(f"bridge/V'_{l}", H, H)
    if wiring == "bahdanau":
        for l in layers:
            new(f"bridge/W_s_{l}", H, H)
    new("decoder/embedding", V_Y, E)
    inputs = E
    for l in layers:
        layer(f"decoder/layer{l}", inputs)
        inputs = H
    read = H
    fed = {"sutskever": 0, "cho": H, "bahdanau": a, "luong": 0, "luong-feeding": H}[wiring]
    if fed:
        new("decoder/C", fed, GATES[case["Cell"]] * H)
        if wiring not in ATTENTIONAL:
            read += E + fed
    score = {
        "": {},
        "additive": {"W": (H, N), "U": (a, N), "v": (N, 1)},
        "dot": {},
        "general": {"W_a": (H, a)},
        "concat": {"W_a": (H + a, N), "v_a": (N, 1)},
        "scaled-dot": {},
        "location": {"W_a": (H, POSITIONS)},
    }[case["Attention"]]
    for name, dims in score.items():
        new("decoder/score/" + name, *dims)
    if case["Window"] == "local-p":
        new("decoder/window/W_p", H, H)
        new("decoder/window/v_p", H, 1)
    if wiring in ATTENTIONAL:
        new("decoder/W_c", a + H, H)
    if case["Readout"] == "maxout":
        new("decoder/readout/W_t", read, 2 * M)
        new("decoder/readout/b_t", 2 * M)
        read = M
    new("decoder/readout/W_o", read, V_Y)
    new("decoder/readout/b_o", V_Y)
    return weights


def cell(kind, w, name, gates, state):
    """One step from the input's part of the gates and the states, for one sentence."""
    if kind == "rnn":
        return [torch.tanh(gates + state[0] @ w[name + "/U"])]
    if kind == "gru":
        h = state[0]
        r, z = torch.sigmoid(gates[: 2 * H] + h @ w[name + "/U_rz"]).split(H)
        n = torch.tanh(gates[2 * H :] + (r * h) @ w[name + "/U"])
        return [z * h + (1 - z) * n]
    h, c = state
    i, f, g, o = (gates + h @ w[name + "/U"]).split(H)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return [torch.sigmoid(o) * torch.tanh(c), c]


def attend(case, w, s, h, i):
    """The context of the decoder state s among the encoder states h, and its weights, for the target word i, from 1."""

    def score(j):
        h_j = h[j - 1]
        if case["Attention"] == "additive":
            return (torch.tanh(s @ w["decoder/score/W"] + h_j @ w["decoder/score/U"]) @ w["decoder/score/v"])[0]
        if case["Attention"] == "dot":
            return s @ h_j
        if case["Attention"] == "general":
            return s @ w["decoder/score/W_a"] @ h_j
        if case["Attention"] == "concat":
            return (torch.tanh(torch.cat([s, h_j]) @ w["decoder/score/W_a"]) @ w["decoder/score/v_a"])[0]
        if case["Attention"] == "scaled-dot":
            return s @ h_j / math.sqrt(H)
        return (s @ w["decoder/score/W_a"])[j - 1]

    n = min(len(h), POSITIONS) if case["Attention"] == "location" else len(h)
    positions = range(1, n + 1)
    if case["Window"] == "local-m":
        words = n - 1  # without EOS
        t = max(1, min(i, words))
        if case["ReverseSource"]:
            t = words + 1 - t
        positions = [j for j in positions if t - D <= j <= t + D]
    if case["Window"] == "local-p":
        p = n * torch.sigmoid(torch.tanh(s @ w["decoder/window/W_p"]) @ w["decoder/window/v_p"])[0]
        positions = [j for j in positions if p - D <= j <= p + D]
    alpha = torch.softmax(torch.stack([score(j) for j in positions]), 0)
    if case["Window"] == "local-p":
        sigma = D / 2
        alpha = alpha * torch.stack([torch.exp(-((j - p) ** 2) / (2 * sigma**2)) for j in positions])
        alpha = alpha / alpha.sum()
    return sum(a * h[j - 1] for j, a in zip(positions, alpha))


def sentence(case, w, x, y):
    """The nats of the target y given the source x: lists of ids without padding."""
    kind, wiring, layers = case["Cell"], case["Wiring"], range(1, case["Layers"] + 1)
    zeros = [torch.zeros(H) for _ in range(2 if kind == "lstm" else 1)]
    h = [w["encoder/embedding"][i] for i in x]
    last = []
    for l in layers:
        outputs, states = [], []
        for direction in ["forward", "backward"] if case["Bidirectional"] else ["forward"]:
            name, state, out = f"encoder/layer{l}/{direction}", zeros, []
            for v in h if direction == "forward" else h[::-1]:
                state = cell(kind, w, name, v @ w[name + "/W"] + w[name + "/b"], state)
                out.append(state[0])
            outputs.append(out if direction == "forward" else out[::-1])
            states.append(state)
        h = [torch.cat(parts) for parts in zip(*outputs)]
        last.append(states)
    summary = None
    if wiring in ["sutskever"] + ATTENTIONAL:
        s = []
        for l in layers:
            if not case["Bidirectional"]:
                s.append(last[l - 1][0])
                continue
            both = [torch.cat(pair) @ w[f"bridge/W_{l}_{k + 1}"] for k, pair in enumerate(zip(*last[l - 1]))]
            s.append([torch.tanh(both[0])] + both[1:])
    elif wiring == "cho":
        summary = torch.tanh(torch.cat([states[0] for states in last[-1]]) @ w["bridge/V"])
        s = [[torch.tanh(summary @ w[f"bridge/V'_{l}"])] + zeros[1:] for l in layers]
    else:
        s = [[torch.tanh(last[-1][-1][0] @ w[f"bridge/W_s_{l}"])] + zeros[1:] for l in layers]
    nats, previous, attentional = torch.zeros(()), 1, torch.zeros(H)  # BOS, s̃_0
    for i, target in enumerate(y, 1):
        word = w["decoder/embedding"][previous]
        gates = word @ w["decoder/layer1/W"] + w["decoder/layer1/b"]
        context = summary
        if wiring == "bahdanau":
            context = attend(case, w, s[-1][0], h, i)
        if context is not None:
            gates = gates + context @ w["decoder/C"]
        if wiring == "luong-feeding":
            gates = gates + attentional @ w["decoder/C"]
        for l in layers:
            name = f"decoder/layer{l}"
            if l > 1:
                gates = s[l - 2][0] @ w[name + "/W"] + w[name + "/b"]
            s[l - 1] = cell(kind, w, name, gates, s[l - 1])
        t = s[-1][0] if context is None else torch.cat([s[-1][0], word, context])
        if wiring in ATTENTIONAL:
            t = attentional = torch.tanh(torch.cat([attend(case, w, s[-1][0], h, i), s[-1][0]]) @ w["decoder/W_c"])
        if case["Readout"] == "maxout":
            t = t @ w["decoder/readout/W_t"] + w["decoder/readout/b_t"]
            t = torch.maximum(t[:M], t[M:])
        logits = t @ w["decoder/readout/W_o"] + w["decoder/readout/b_o"]
        nats = nats - torch.log_softmax(logits, 0)[target]
        previous = target
    return nats


def main():
    torch.manual_seed(7)
    # Words have ids from 3 (UNK) on; every real column ends in EOS, id 2.
    x = torch.randint(3, V_X, (S, B))
    y = torch.randint(3, V_Y, (T, B))
    for ids, lengths in ((x, X_LENGTHS), (y, Y_LENGTHS)):
        for b, n in enumerate(lengths):
            ids[n:, b] = 0
            if n:
                ids[n - 1, b] = 2
    scores = ["additive", "dot", "general", "concat", "scaled-dot", "location"]
    windows = ["", "local-m", "local-p"]
    grid = [
        (wiring, kind, 1, False, "plain", score, window, reverse)
        for wiring, kind, reverse in [("bahdanau", "rnn", False), ("luong", "rnn", True), ("luong-feeding", "gru", True)]
        for score in scores
        for window in windows
    ]
    cases = []
    for wiring, kind, layers, both, readout, *attention in [
        ("sutskever", "lstm", 2, False, "plain"),
        ("sutskever", "lstm", 1, True, "maxout"),
        ("sutskever", "rnn", 2, True, "plain"),
        ("cho", "gru", 1, False, "maxout"),
        ("cho", "lstm", 2, True, "plain"),
        ("bahdanau", "gru", 1, True, "maxout"),
        ("bahdanau", "lstm", 2, False, "plain"),
        ("bahdanau", "rnn", 1, False, "plain"),
        ("luong", "lstm", 2, True, "maxout", "concat", "", False),
        ("luong-feeding", "lstm", 2, False, "plain", "general", "", True),
        ("luong-feeding", "gru", 3, True, "plain", "general", "local-p", True),
        ("bahdanau", "lstm", 2, True, "plain", "general", "local-m", True),
    ] + grid:
        score, window, reverse = attention or ("additive" if wiring == "bahdanau" else "", "", False)
        case = {"Wiring": wiring, "Cell": kind, "Layers": layers, "Bidirectional": both, "Readout": readout,
                "Attention": score, "Window": window, "ReverseSource": reverse}
        w = make(case)
        nats = sum(
            sentence(case, w, x[:n, b].tolist(), y[:m, b].tolist())
            for b, (n, m) in enumerate(zip(X_LENGTHS, Y_LENGTHS))
            if m
        )
        loss = nats / sum(Y_LENGTHS)
        loss.backward()
        flat = lambda t: [round(v, 7) for v in t.detach().flatten().tolist()]
        cases.append(
            case
            | {
                "Loss": loss.item(),
                "Weights": {k: {"Dims": list(v.shape), "Values": flat(v), "Gradient": flat(v.grad)} for k, v in w.items()},
            }
        )
    reference = {
        "PyTorch": torch.__version__,
        "X": x.tolist(), "XLengths": X_LENGTHS, "Y": y.tolist(), "YLengths": Y_LENGTHS,
        "SourceSize": V_X, "TargetSize": V_Y, "Embedding": E, "Hidden": H, "AttentionSize": N, "Maxout": M, "D": D, "Positions": POSITIONS,
        "Cases": cases,
    }
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "reference.json.gz"), "wb") as f:
        f.write(gzip.compress(json.dumps(reference, separators=(",", ":")).encode(), mtime=0))


main()
