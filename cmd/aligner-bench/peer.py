"""Trains Model 1, or what comes nearest, with another aligner, in both directions: the other side of cmd/aligner-bench.

    python peer.py PEER TEXT OUTPUT ITERATIONS      TEXT has lines "source ||| target"
    python peer.py PEER                             prints the version, or fails where it is not installed

Every peer reads the text, runs the iterations, and writes what it has learned beside OUTPUT.
"""
import sys
from importlib.metadata import version


def sides(path):
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            source, target = line.rstrip("\n").split(" ||| ")
            yield source, target


def fast_align(text, output, iterations):
    import systran_align

    # Without the diagonal it is Model 1 by EM, with two threads or more.
    systran_align.generate_alignment_probabilities(text, output + ".forward", output + ".backward", iterations=iterations, favor_diagonal=False)


def eflomal(text, output, iterations):
    from eflomal import Aligner

    # Not EM: Gibbs sampling, whose iterations draw one link for each word.
    aligner = Aligner(model=1, n_iterations=(iterations, 0, 0), n_samplers=1)
    source, target = zip(*sides(text))
    aligner.align(source, target, links_filename_fwd=output + ".forward", links_filename_rev=output + ".backward")


def thot(text, output, iterations):
    from thot.alignment import Ibm1AlignmentModel

    for direction in "forward", "backward":
        model = Ibm1AlignmentModel()
        for source, target in sides(text):
            if direction == "backward":
                source, target = target, source
            model.add_sentence_pair(source.split(), target.split(), 1)
        model.start_training()
        for _ in range(iterations):
            model.train()
        model.end_training()
        model.print(f"{output}.{direction}")


def nltk(text, output, iterations):
    import pickle

    from nltk.translate import AlignedSent, IBMModel1

    for direction in "forward", "backward":
        pairs = [AlignedSent(t.split(), s.split()) if direction == "forward" else AlignedSent(s.split(), t.split()) for s, t in sides(text)]
        table = IBMModel1(pairs, iterations).translation_table
        with open(f"{output}.{direction}", "wb") as file:
            pickle.dump({t: dict(row) for t, row in table.items()}, file)


PEERS = {"fast_align": (fast_align, "systran-align"), "eflomal": (eflomal, "eflomal"), "thot": (thot, "sil-thot"), "nltk": (nltk, "nltk")}

train, package = PEERS[sys.argv[1]]
if len(sys.argv) > 2:
    train(sys.argv[2], sys.argv[3], int(sys.argv[4]))
else:
    print(version(package))
