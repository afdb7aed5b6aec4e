"""Writes reference.json: IBM Models 1 and 2 of NLTK on grammar.txt, for the tests of package ibm.

    pip install nltk==3.10.4 numpy==2.4.6
    python reference.py > reference.json        (made with Python 3.11; the versions used are in the file)

grammar.txt has made-up pairs, "English ||| French", the first of seed 1 of this project's grammar whose French repeats no word: NLTK
divides by the sum over all occurrences of a target word in its sentence, which is not the model's E-step where a word occurs twice.
NLTK's Model 2 begins with twice as many iterations of Model 1 as it is given.
"""
import json
import os
import platform
from importlib.metadata import version

from nltk.translate import AlignedSent, IBMModel1, IBMModel2

ITERATIONS = 5
LEAST = 1e-3  # smaller probabilities are left out


def bitext():
    folder = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(folder, "grammar.txt"), encoding="utf-8") as lines:
        for line in lines:
            source, target = line.split("|||")
            assert len(set(target.split())) == len(target.split()), line
            yield AlignedSent(target.split(), source.split())  # the words that are explained come first


def translations(model):
    return sorted(
        [source or "", target, p]
        for target, row in model.translation_table.items()
        for source, p in row.items()
        if p >= LEAST
    )


def places(model):
    """Rows [i, j, S, T, p] of a(i|j,S,T), i = 0 for NULL, j from 1."""
    return sorted(
        [i, j, s, t, p]
        for i, js in model.alignment_table.items()
        for j, ss in js.items()
        for s, ts in ss.items()
        for t, p in ts.items()
        if p >= LEAST
    )


model1 = IBMModel1(list(bitext()), ITERATIONS)
model2 = IBMModel2(list(bitext()), ITERATIONS)
lines = {
    "iterations": ITERATIONS,
    "versions": {"python": platform.python_version(), "nltk": version("nltk")},
    "model1": translations(model1),
    "model2": translations(model2),
    "places": places(model2),
}
print("{\n" + ",\n".join(f"{json.dumps(k)}: {json.dumps(v, ensure_ascii=False, separators=(',', ':'))}" for k, v in lines.items()) + "\n}")
