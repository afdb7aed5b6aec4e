"""Scores sentences with the sacrebleu package, as the oracle of bleu_test.go.

  python reference.py            writes reference.json.gz: made-up sentences over a made-up vocabulary, with their scores
  python reference.py score      reads {"segments": [...]} from standard input, writes the same with scores to standard output

A segment is [hypothesis, [reference, ...]]; a sentence is its tokens joined by spaces. Scores are listed in the order of METHODS.
"""

import gzip
import json
import logging
import os
import platform
import random
import sys

import sacrebleu
from sacrebleu.metrics import BLEU

logging.getLogger("sacrebleu").setLevel(logging.ERROR)  # it would advise effective order for every sentence

# Smoothing, its value, effective order.
METHODS = [
    (method, value, effective)
    for method, value in [("exp", None), ("none", None), ("floor", None), ("floor", 0.7), ("add-k", None), ("add-k", 0.3)]
    for effective in (False, True)
]
CORPUS = 64  # segments in a corpus; the last corpus is all of them


def scorer(method):
    smooth, value, effective = method
    return BLEU(tokenize="none", force=True, smooth_method=smooth, smooth_value=value, effective_order=effective)


def scored(segments):
    scorers = [scorer(m) for m in METHODS]
    sentences = [[s.sentence_score(h, r).score for s in scorers] for h, r in segments]
    spans = [(i, min(i + CORPUS, len(segments))) for i in range(0, len(segments), CORPUS)] + [(0, len(segments))]
    corpora = []
    for begin, end in spans:
        part = segments[begin:end]
        hypotheses = [h for h, _ in part]
        width = max(len(r) for _, r in part)
        streams = [[r[k] if k < len(r) else None for _, r in part] for k in range(width)]
        results = [s.corpus_score(hypotheses, streams) for s in scorers]
        first = results[0]  # exp does not touch the counts
        corpora.append({
            "begin": begin, "end": end,
            "scores": [b.score for b in results],
            "precisions": [list(b.precisions) for b in results],
            "counts": list(first.counts), "totals": list(first.totals),
            "bp": first.bp, "hypothesis": first.sys_len, "reference": first.ref_len,
            "text": str(first),
        })
    return {
        "sacrebleu": sacrebleu.__version__, "python": platform.python_version(),
        "methods": [{"smoothing": m, "value": v, "effective": e} for m, v, e in METHODS],
        "segments": segments, "sentences": sentences, "corpora": corpora,
    }


def mutilated(random, sentence, vocabulary):
    """A sentence as a poor model might have translated it."""
    words = list(sentence)
    for _ in range(random.choice([0, 1, 1, 2, 4, 8])):
        at = random.randrange(len(words) + 1)
        action = random.randrange(7)
        if action == 0:
            words[at:at + 1] = []
        elif action == 1:
            words.insert(at, random.choice(vocabulary))
        elif action == 2:
            words[at:at + 1] = [random.choice(vocabulary)]
        elif action == 3:
            words[at:at + 2] = words[at:at + 2][::-1]
        elif action == 4:
            words[at:at] = words[at:at + 3]  # a stutter
        elif action == 5:
            words = words[:at]
        else:
            words[at:] = random.sample(words[at:], len(words) - at)
    return words


def made_up(seed, count):
    r = random.Random(seed)
    vocabulary = [a + b for a in "bdfgklmnprst" for b in ("a", "é", "ou")]
    weights = [1 / (rank + 1) for rank in range(len(vocabulary))]
    segments = []
    for _ in range(count):
        truth = r.choices(vocabulary, weights, k=r.choice([1, 2, 3, 4, 5, 6, 8, 10, 13, 20, 35]))
        references = [truth] + [mutilated(r, truth, vocabulary) for _ in range(r.choice([0, 0, 1, 3]))]
        hypothesis = mutilated(r, truth, vocabulary) if r.random() < 0.9 else r.choices(vocabulary, weights, k=r.randrange(8))
        segments.append([" ".join(hypothesis), [" ".join(x) for x in references]])
    return segments


def main():
    if sys.argv[1:] == ["score"]:
        json.dump(scored(json.load(sys.stdin)["segments"]), sys.stdout)
        return
    result = scored(made_up(seed=2015, count=2400))
    result["sentences"] = [[round(x, 9) for x in s] for s in result["sentences"]]
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "reference.json.gz")
    with open(path, "wb") as raw, gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as f:
        f.write(json.dumps(result, ensure_ascii=False, separators=(",", ":")).encode())


if __name__ == "__main__":
    main()
