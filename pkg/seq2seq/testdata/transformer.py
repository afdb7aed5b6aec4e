"""Writes transformer.json.gz: loss and gradients of small Transformers, computed by PyTorch's nn.TransformerEncoderLayer and
nn.TransformerDecoderLayer in float64, sentence by sentence and without padding, in both orders of normalisation.

Run with: python transformer.py (PyTorch 2.5.1). Embeddings, positions and readout are written out from Vaswani et al. (2017).
"""

import gzip
import json
import math
import os

import torch
from torch import nn

torch.set_default_dtype(torch.float64)
S, T, B, V_X, V_Y, D, HEADS, FEED, LAYERS = 5, 4, 4, 9, 8, 6, 3, 7, 2
X_LENGTHS = [5, 2, 0, 3]  # the third column is empty
Y_LENGTHS = [3, 4, 0, 1]


class Model(nn.Module):
    def __init__(self, pre):
        super().__init__()
        options = {"dropout": 0, "batch_first": True, "norm_first": pre}
        self.pre = pre
        self.x, self.y = nn.Parameter(torch.empty(V_X, D)), nn.Parameter(torch.empty(V_Y, D))
        self.encoder = nn.ModuleList(nn.TransformerEncoderLayer(D, HEADS, FEED, **options) for _ in range(LAYERS))
        self.decoder = nn.ModuleList(nn.TransformerDecoderLayer(D, HEADS, FEED, **options) for _ in range(LAYERS))
        if pre:
            self.encoder_norm, self.decoder_norm = nn.LayerNorm(D), nn.LayerNorm(D)
        self.readout = nn.Linear(D, V_Y)
        for name, p in self.named_parameters():
            with torch.no_grad():
                p.copy_(torch.randn_like(p) * 0.5 + (1 if "norm" in name and "weight" in name else 0))
                if "in_proj_bias" in name or "out_proj.bias" in name:
                    p.zero_()  # the paper has none

    def embed(self, vectors, ids):
        positions = torch.tensor([[(math.sin, math.cos)[c % 2](t / 10000 ** ((c - c % 2) / D)) for c in range(D)] for t in range(len(ids))])
        return (vectors[ids] * math.sqrt(D) + positions)[None]

    def nats(self, x, y):
        h = self.embed(self.x, x)
        for l in self.encoder:
            h = l(h)
        s = self.embed(self.y, [1] + y[:-1])  # BOS
        if self.pre:
            h = self.encoder_norm(h)
        causal = torch.ones(len(y), len(y)).triu(1).bool()
        for l in self.decoder:
            s = l(s, h, tgt_mask=causal)
        if self.pre:
            s = self.decoder_norm(s)
        return nn.functional.cross_entropy(self.readout(s[0]), torch.tensor(y), reduction="sum")

    def weights(self):
        """Each weight by the course's name, with its gradient; matrices as [in,out]."""
        all = {"encoder/embedding": (self.x, self.x.grad), "decoder/embedding": (self.y, self.y.grad)}

        def linear(w, b, m):
            all[w] = m.weight.T, m.weight.grad.T
            if b:
                all[b] = m.bias, m.bias.grad

        def norm(name, m):
            all[name + "/gain"], all[name + "/offset"] = (m.weight, m.weight.grad), (m.bias, m.bias.grad)

        def attention(name, m):
            for k, v, g in zip(["W_Q", "W_K", "W_V"], m.in_proj_weight.chunk(3), m.in_proj_weight.grad.chunk(3)):
                all[f"{name}/{k}"] = v.T, g.T
            linear(name + "/W_O", None, m.out_proj)

        for side, layers in [("encoder", self.encoder), ("decoder", self.decoder)]:
            for i, l in enumerate(layers, 1):
                name = f"{side}/layer{i}"
                attention(name + "/self", l.self_attn)
                if side == "decoder":
                    attention(name + "/cross", l.multihead_attn)
                    norm(name + "/norm3", l.norm3)
                linear(name + "/feed/W_1", name + "/feed/b_1", l.linear1)
                linear(name + "/feed/W_2", name + "/feed/b_2", l.linear2)
                norm(name + "/norm1", l.norm1)
                norm(name + "/norm2", l.norm2)
        if self.pre:
            norm("encoder/norm", self.encoder_norm)
            norm("decoder/norm", self.decoder_norm)
        linear("decoder/readout/W_o", "decoder/readout/b_o", self.readout)
        return all


def main():
    torch.manual_seed(11)
    # Words have ids from 3 (UNK) on; every real column ends in EOS, id 2.
    x, y = torch.randint(3, V_X, (S, B)), torch.randint(3, V_Y, (T, B))
    for ids, lengths in ((x, X_LENGTHS), (y, Y_LENGTHS)):
        for b, n in enumerate(lengths):
            ids[n:, b] = 0
            if n:
                ids[n - 1, b] = 2
    cases = []
    for pre in [False, True]:
        m = Model(pre)
        nats = sum(m.nats(x[:n, b].tolist(), y[:k, b].tolist()) for b, (n, k) in enumerate(zip(X_LENGTHS, Y_LENGTHS)) if k)
        loss = nats / sum(Y_LENGTHS)
        loss.backward()
        flat = lambda t: [round(v, 7) for v in t.detach().flatten().tolist()]
        weights = {k: {"Dims": list(v.shape), "Values": flat(v), "Gradient": flat(g)} for k, (v, g) in m.weights().items()}
        cases.append({"Wiring": "vaswani", "Attention": "scaled-dot", "Layers": LAYERS, "Readout": "plain", "PreNorm": pre, "Loss": loss.item(), "Weights": weights})
    reference = {
        "PyTorch": torch.__version__,
        "X": x.tolist(), "XLengths": X_LENGTHS, "Y": y.tolist(), "YLengths": Y_LENGTHS,
        "SourceSize": V_X, "TargetSize": V_Y, "Embedding": D, "Hidden": D, "Heads": HEADS, "FeedForward": FEED, "Cases": cases,
    }
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "transformer.json.gz"), "wb") as f:
        f.write(gzip.compress(json.dumps(reference, separators=(",", ":")).encode(), mtime=0))


main()
