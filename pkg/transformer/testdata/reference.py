"""Writes reference.json: values and gradients of multi-head attention and of encoder and decoder layers, by PyTorch's own modules in float64.

Run with: python reference.py (PyTorch 2.5.1). The modules are nn.MultiheadAttention, nn.TransformerEncoderLayer and
nn.TransformerDecoderLayer, with the biases of the attention's projections at 0: Vaswani et al. (2017) have none. The loss is the sum of the output times
fixed numbers.
"""

import json
import os

import torch
from torch import nn

torch.set_default_dtype(torch.float64)
B, S, T, D, HEADS, FEED = 3, 5, 4, 6, 2, 7
LENGTHS = [5, 1, 3]  # of the sources; targets are masked by order alone


def randomise(module):
    for name, p in module.named_parameters():
        with torch.no_grad():
            p.copy_(torch.randn_like(p) * 0.5 + (1 if "norm" in name and "weight" in name else 0))
            if "in_proj_bias" in name or "out_proj.bias" in name:
                p.zero_()


def flat(t):
    return [round(v, 8) for v in t.detach().flatten().tolist()]


def matrix(value, gradient):
    """A weight of nn.Linear [out,in] as [in,out]."""
    return {"Dims": list(value.T.shape), "Values": flat(value.T), "Gradient": flat(gradient.T)}


def vector(p):
    return {"Dims": list(p.shape), "Values": flat(p), "Gradient": flat(p.grad)}


def attention(name, m):
    weights = dict(zip(["W_Q", "W_K", "W_V"], zip(m.in_proj_weight.chunk(3), m.in_proj_weight.grad.chunk(3))))
    weights["W_O"] = m.out_proj.weight, m.out_proj.weight.grad
    return {name + k: matrix(*v) for k, v in weights.items()}


def layer(m):
    weights = attention("self/", m.self_attn)
    if hasattr(m, "multihead_attn"):
        weights |= attention("cross/", m.multihead_attn)
    for i, linear in enumerate([m.linear1, m.linear2], 1):
        weights |= {f"feed/W_{i}": matrix(linear.weight, linear.weight.grad), f"feed/b_{i}": vector(linear.bias)}
    for norm in ["norm1", "norm2", "norm3"]:
        if hasattr(m, norm):
            weights |= {f"{norm}/gain": vector(getattr(m, norm).weight), f"{norm}/offset": vector(getattr(m, norm).bias)}
    return weights


def case(kind, pre):
    x = torch.randn(B, T if kind == "decoder" else S, D).requires_grad_()
    h = torch.randn(B, S, D).requires_grad_()
    padding = torch.arange(S)[None] >= torch.tensor(LENGTHS)[:, None]
    causal = torch.ones(x.shape[1], x.shape[1]).triu(1).bool()
    options = {"dropout": 0, "batch_first": True}
    alpha = None
    if kind == "attention":
        m = nn.MultiheadAttention(D, HEADS, **options)
        randomise(m)
        y, alpha = m(x, h, h, key_padding_mask=padding, average_attn_weights=False)
        named = lambda: attention("", m)
    elif kind == "encoder":
        m = nn.TransformerEncoderLayer(D, HEADS, FEED, norm_first=pre, **options)
        randomise(m)
        y = m(x, src_key_padding_mask=padding)
        named = lambda: layer(m)
    else:
        m = nn.TransformerDecoderLayer(D, HEADS, FEED, norm_first=pre, **options)
        randomise(m)
        y = m(x, h, tgt_mask=causal, memory_key_padding_mask=padding)
        named = lambda: layer(m)
    r = torch.randn_like(y)
    loss = (r * y).sum()
    loss.backward()
    weights = {"x": vector(x)} | named()
    if kind != "encoder":
        weights["h"] = vector(h)
    result = {"Kind": kind, "Pre": pre, "Loss": loss.item(), "R": flat(r), "Y": flat(y), "Inputs": weights}
    if alpha is not None:
        result["Alpha"] = flat(alpha)
    return result


def main():
    torch.manual_seed(5)
    cases = [case("attention", False)] + [case(kind, pre) for kind in ["encoder", "decoder"] for pre in [False, True]]
    reference = {"PyTorch": torch.__version__, "Lengths": LENGTHS, "Heads": HEADS, "Feed": FEED, "Cases": cases}
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "reference.json"), "w") as f:
        json.dump(reference, f, separators=(",", ":"))
        f.write("\n")


main()
