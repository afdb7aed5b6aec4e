"""The peer of the benchmarks: the models of pkg/seq2seq as a PyTorch user would write them, on the CPU.

Run by cmd/bench with the path of a job, which the Go side reads too; prints one line of JSON. Recurrence that PyTorch has fused is
nn.LSTM and nn.GRU; the attention decoder is a loop over nn.GRUCell, as in PyTorch's translation tutorial. Notation and shapes are the
course's: source x [S,B], target y [T,B], encoder states h [B,S,A], decoder state s [B,H], context c [B,A].

PyTorch's cells have two bias vectors, of which one is redundant, and its GRU resets after the recurrent product; otherwise the
equations, the start of the weights and the optimizer's settings are the same.
"""

import json
import math
import os
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

PAD, BOS, EOS = 0, 1, 2
DECODE_BATCH = 128  # 64 and 256 take about as long, 32 longer


class Batch:
    """Pairs side by side. Lengths count EOS; they are None where all columns are full, so that nothing needs masking."""

    def __init__(self, sources, targets=None):
        self.x, self.x_lengths = columns(sources)
        self.real = None  # which rows of [T·B] are words
        if targets is not None:
            self.y, self.y_lengths = columns(targets)
            self.previous = torch.cat([torch.full_like(self.y[:1], BOS), self.y[:-1]])
            if self.y_lengths is not None:
                self.real = (self.y.flatten() != PAD).nonzero().squeeze(1)
        self.size = len(sources)


def columns(sentences):
    """Ids [T,B] of sentences with EOS behind them and PAD below, and their lengths."""
    lengths = torch.tensor([len(s) + 1 for s in sentences])
    ids = np.full((max(map(len, sentences)) + 1, len(sentences)), PAD, np.int64)
    for b, sentence in enumerate(sentences):
        ids[: len(sentence), b] = sentence
        ids[len(sentence), b] = EOS
    return torch.from_numpy(ids), None if (lengths == lengths[0]).all() else lengths


def run_packed(layer, inputs, lengths):
    """The outputs [S,B,A] and last state of a fused layer over inputs [S,B,E] of these lengths."""
    if lengths is None:
        return layer(inputs)
    output, state = layer(pack_padded_sequence(inputs, lengths, enforce_sorted=False))
    return pad_packed_sequence(output)[0], state


class Bottleneck(nn.Module):
    """Sutskever et al. (2014): an LSTM hands its last state to another."""

    def __init__(self, config, vocabulary):
        super().__init__()
        e, h = config["Embedding"], config["Hidden"]
        self.source, self.target = nn.Embedding(vocabulary, e), nn.Embedding(vocabulary, e)
        self.encoder, self.decoder = nn.LSTM(e, h), nn.LSTM(e, h)
        self.output = nn.Linear(h, vocabulary)

    def encode(self, batch):
        """The decoder's first state, and what else it reads of the source: nothing."""
        words = self.source(batch.x)
        if batch.x_lengths is not None:
            words = pack_padded_sequence(words, batch.x_lengths, enforce_sorted=False)
        return self.encoder(words)[1], ()

    def loss(self, batch):
        state, _ = self.encode(batch)
        words, y = self.target(batch.previous), batch.y.flatten()
        if batch.y_lengths is None:
            output = self.decoder(words, state)[0].flatten(0, 1)
        else:  # packed, logits are only computed for words
            output = self.decoder(pack_padded_sequence(words, batch.y_lengths, enforce_sorted=False), state)[0].data
            y = pack_padded_sequence(batch.y, batch.y_lengths, enforce_sorted=False).data
        return F.cross_entropy(self.output(output), y)

    def step(self, y, state, _):
        """Logits [B,V] of the words after y [B], and the next state."""
        output, state = self.decoder(self.target(y).unsqueeze(0), state)
        return self.output(output.squeeze(0)), state

    def select(self, state, rows):
        """The states of these sentences or hypotheses."""
        return tuple(s.index_select(1, rows) for s in state)


class Attention(nn.Module):
    """Bahdanau et al. (2015): the previous state scores every encoder state, the weighted sum feeds the cell and the readout."""

    def __init__(self, config, vocabulary):
        super().__init__()
        e, h, m = config["Embedding"], config["Hidden"], config["Maxout"]
        n = config["AttentionSize"] or h
        self.source, self.target = nn.Embedding(vocabulary, e), nn.Embedding(vocabulary, e)
        self.encoder = nn.GRU(e, h, bidirectional=True)
        self.bridge = nn.Linear(h, h, bias=False)
        self.w, self.u, self.v = nn.Linear(h, n, bias=False), nn.Linear(2 * h, n, bias=False), nn.Linear(n, 1, bias=False)
        self.cell = nn.GRUCell(e + 2 * h, h)
        self.maxout = nn.Linear(h + e + 2 * h, 2 * m)
        self.output = nn.Linear(m, vocabulary)

    def encode(self, batch):
        """The decoder's first state [B,H]; and h, what the score reads of it, and where it is padding (None: nowhere)."""
        h, last = run_packed(self.encoder, self.source(batch.x), batch.x_lengths)
        h = h.transpose(0, 1).contiguous()
        padding = None if batch.x_lengths is None else (batch.x == PAD).t()
        return torch.tanh(self.bridge(last[1])), (h, self.u(h), padding)

    def recur(self, words, s, source):
        """One step: the next state and the context."""
        h, keys, padding = source
        e = self.v(torch.tanh(self.w(s).unsqueeze(1) + keys)).squeeze(-1)
        if padding is not None:
            e = e.masked_fill(padding, -math.inf)
        c = torch.bmm(torch.softmax(e, -1).unsqueeze(1), h).squeeze(1)
        return self.cell(torch.cat([words, c], -1), s), c

    def readout(self, s, words, c):
        a, b = self.maxout(torch.cat([s, words, c], -1)).chunk(2, -1)
        return self.output(torch.maximum(a, b))

    def loss(self, batch):
        s, source = self.encode(batch)
        words, states, contexts = self.target(batch.previous), [], []
        for word in words:
            s, c = self.recur(word, s, source)
            states.append(s)
            contexts.append(c)
        read = [torch.stack(states).flatten(0, 1), words.flatten(0, 1), torch.stack(contexts).flatten(0, 1)]
        y = batch.y.flatten()
        if batch.real is not None:  # logits are only computed for words
            read, y = [r.index_select(0, batch.real) for r in read], y.index_select(0, batch.real)
        return F.cross_entropy(self.readout(*read), y)

    def step(self, y, s, source):
        words = self.target(y)
        s, c = self.recur(words, s, source)
        return self.readout(s, words, c), s

    def select(self, s, rows):
        return s.index_select(0, rows)


@torch.no_grad()
def start(model, config):
    """Starts the weights as pkg/seq2seq does: the losses of both sides can then be compared."""
    for name, p in model.named_parameters():
        if name in ("source.weight", "target.weight"):
            nn.init.normal_(p, std=config["EmbeddingDeviation"])
        elif p.dim() == 1:
            p.zero_()
            if isinstance(model, Bottleneck) and ".bias_ih" in name:
                p.chunk(4)[1].fill_(1)  # the forget gate
        elif "weight_hh" in name:
            for gate in p.split(p.size(1)):
                nn.init.orthogonal_(gate)
        elif "weight_ih" in name:
            for gate in p.split(config["Hidden"]):
                nn.init.xavier_uniform_(gate)
        elif name == "maxout.weight":
            for half in p.chunk(2):
                nn.init.xavier_uniform_(half)
        else:
            nn.init.xavier_uniform_(p)


def make(job):
    torch.manual_seed(job["Config"]["Seed"])
    model = {"sutskever": Bottleneck, "bahdanau": Attention}[job["Config"]["Wiring"]](job["Config"], job["Vocabulary"])
    start(model, job["Config"])
    return model


def train(job, model):
    """The seconds and the loss (nats a word) of every update."""
    config = job["Config"]
    optimizer = torch.optim.Adam(model.parameters(), lr=config["LearningRate"], eps=1e-7, fused=True)
    pairs = [(reading(config, source), target) for source, target in job["Pairs"]]
    seconds, losses = [], []
    for indices in job["Batches"]:
        batch = Batch([pairs[i][0] for i in indices], [pairs[i][1] for i in indices])
        begin = time.perf_counter()
        loss = model.loss(batch)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), config["ClipNorm"])
        optimizer.step()
        losses.append(loss.item())
        seconds.append(time.perf_counter() - begin)
    return seconds, losses


def reading(config, source):
    """A source as the encoder reads it."""
    return source[::-1] if config["ReverseSource"] else source


def in_batches(job, decode):
    """Decodes all of the job's sources, similar lengths together, and gives the translations in their order."""
    sources = [reading(job["Config"], s) for s in job["Sources"]]
    order = sorted(range(len(sources)), key=lambda i: len(sources[i]))
    translations = [None] * len(sources)
    for begin in range(0, len(order), DECODE_BATCH):
        some = order[begin : begin + DECODE_BATCH]
        batch = Batch([sources[i] for i in some])
        for i, t in zip(some, decode(batch, 2 * (batch.x.size(0) - 1) + 10)):
            translations[i] = t
    return translations


@torch.inference_mode()
def greedy(model, batch, cap):
    state, source = model.encode(batch)
    y = torch.full((batch.size,), BOS)
    ended = torch.zeros(batch.size, dtype=torch.bool)
    written = []
    while len(written) < cap and not ended.all():
        logits, state = model.step(y, state, source)
        logits[:, : BOS + 1] = -math.inf  # never written
        y = logits.argmax(-1)
        written.append(y)
        ended |= y == EOS
    return [until_eos(ids) for ids in torch.stack(written, 1).tolist()]


@torch.inference_mode()
def beam(model, batch, cap, width):
    """The best translation of each source by the mean log-probability of its words. A hypothesis that ends leaves the beam, which gets
    narrower by it; one that does not end before the cap only counts where none did."""
    b = batch.size
    state, source = model.encode(batch)
    spread = torch.arange(b).repeat_interleave(width)
    state = model.select(state, spread)
    source = tuple(None if t is None else t.index_select(0, spread) for t in source)
    first = torch.arange(b).unsqueeze(1) * width  # each sentence's first slot
    scores = torch.full((b, width), -math.inf)
    scores[:, 0] = 0  # one hypothesis to begin with, not copies of it
    room = torch.full((b, 1), width)
    y = torch.full((b * width,), BOS)
    best = torch.full((b,), -math.inf)
    best_step, best_slot = torch.zeros(b, dtype=torch.long), torch.zeros(b, dtype=torch.long)
    words, parents = [], []
    rank = torch.arange(width)
    for length in range(1, cap + 1):
        logits, state = model.step(y, state, source)
        logits[:, : BOS + 1] = -math.inf
        log_probs = torch.log_softmax(logits, -1)
        # A sentence's best extensions are among the best of each hypothesis.
        top, ids = log_probs.topk(width, -1)
        scores, picked = (scores.unsqueeze(2) + top.view(b, width, width)).view(b, -1).topk(width, -1)
        ids = ids.view(b, -1).gather(1, picked)
        scores = scores.masked_fill(rank >= room, -math.inf)
        rows = (first + picked // width).flatten()
        words.append(ids)
        parents.append(picked // width)
        end = (ids == EOS) & (scores > -math.inf)
        if end.any():
            score, slot = (scores / length).masked_fill(~end, -math.inf).max(-1)
            better = score > best
            best, best_step, best_slot = torch.where(better, score, best), best_step.masked_fill(better, length - 1), torch.where(better, slot, best_slot)
            room = room - end.sum(-1, keepdim=True)
            scores = scores.masked_fill(end, -math.inf)
        if not (scores > -math.inf).any():
            break
        state, y = model.select(state, rows), ids.flatten()
    words, parents = torch.stack(words).tolist(), torch.stack(parents).tolist()
    best_step = torch.where(best > -math.inf, best_step, len(words) - 1).tolist()
    translations = []
    for i, (step, slot) in enumerate(zip(best_step, best_slot.tolist())):
        ids = []
        for t in range(step, -1, -1):
            ids.append(words[t][i][slot])
            slot = parents[t][i][slot]
        translations.append(until_eos(ids[::-1]))
    return translations


def until_eos(ids):
    return ids[: ids.index(EOS) + 1] if EOS in ids else ids


def trained(job):
    """The model of the job, from its folder where it was trained before."""
    path = os.path.join(job["Folder"], "peer.pt")
    model = make(job)
    if os.path.exists(path):
        model.load_state_dict(torch.load(path, weights_only=True))
    else:
        train(job, model)
        torch.save(model.state_dict(), path)
    return model


def main(path):
    with open(path) as f:
        job = json.load(f)
    torch.set_num_threads(job["Threads"])
    answer = {"Versions": {"torch": torch.__version__, "numpy": np.__version__, "python": sys.version.split()[0]}}
    translations = None
    if job["Kind"] == "train":
        model = make(job)
        answer["Seconds"], answer["Losses"] = train(job, model)
        cells = [m for m in model.modules() if isinstance(m, (nn.RNNBase, nn.RNNCellBase))]
        answer["Parameters"] = sum(p.numel() for p in model.parameters())
        answer["SecondBiases"] = sum(p.numel() for m in cells for name, p in m.named_parameters() if "bias_hh" in name)
    elif job["Kind"] == "whole":
        model = make(job)
        train(job, model)
        translations = in_batches(job, lambda batch, cap: greedy(model, batch, cap))
    else:
        model = trained(job)
        decode = {"greedy": greedy, "beam": lambda *a: beam(*a, job["Width"])}[job["Kind"]]
        for _ in range(2):  # the first time to warm up
            begin = time.perf_counter()
            translations = in_batches(job, lambda batch, cap: decode(model, batch, cap))
            answer["Seconds"] = [time.perf_counter() - begin]
    if translations is not None:
        answer["Words"] = sum(map(len, translations))
        answer["Right"] = sum(t == target + [EOS] for t, target in zip(translations, job["Targets"]))
    print(json.dumps(answer))


if __name__ == "__main__":
    main(sys.argv[1])
