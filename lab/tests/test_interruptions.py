"""What happens to a training in a notebook that is stopped, restarted, or opened twice: no work that was saved is lost, and in the end the weights
are those of a training that nobody disturbed."""

import contextlib
import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from jupyter_client.manager import start_new_kernel

from environment import KERNEL

pytestmark = pytest.mark.slow

UPDATES = 400
CELLS = [
    'import (\n\t"context"\n\t"fmt"\n\t"seq2attn/pkg/corpus"\n\t"seq2attn/pkg/seq2seq"\n)',
    # A model that takes no time, stored after every update, so that a test can stop it where it likes.
    """
func train(seed uint64) (*seq2seq.Run, error) {
    data, err := corpus.ReverseDigits(corpus.DigitOptions{Seed: 1, MinLength: 3, MaxLength: 5, Train: 200, Dev: 20, Test: 20})
    if err != nil {
        return nil, err
    }
    c := seq2seq.Cho()
    c.Embedding, c.Hidden, c.Maxout, c.BatchSize, c.Dropout, c.Updates, c.EvaluateEvery, c.Seed = 6, 8, 4, 8, 0.2, %d, 100, seed
    return seq2seq.Train(context.Background(), c, data, seq2seq.SaveEvery(0))
}
"""
    % UPDATES,
    "%%\nrun, err := train(1)\nif err != nil {\n\tpanic(err)\n}\nfmt.Println(run.Updates, run.Finished)",
    '%%\nrun, err := train(1)\nif err != nil {\n\tpanic(err)\n}\nlist, err := run.Translate(context.Background(), [][]string{{"1", "2", "3"}})\n'
    "fmt.Println(len(list), err)",
]
TRAIN = 2  # of the cells


class Notebook:
    """An open notebook: its kernel, with the runs in a folder of the test's."""

    def __init__(self, runs: Path):
        variables = os.environ | {"SEQ2ATTN_RUNS": str(runs), "SEQ2ATTN_ENGINE": "go"}
        self.manager, self.client = start_new_kernel(kernel_name=KERNEL, startup_timeout=120, env=variables)

    def close(self) -> None:
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)

    def send(self, cell: str) -> str:
        return self.client.execute(cell)

    def hear(self, message: str, meanwhile: Callable[[], None] = lambda: None) -> str:
        """What a cell says up to its end. Meanwhile something is done again and again."""
        said, deadline = "", time.monotonic() + 300
        while time.monotonic() < deadline:
            meanwhile()
            try:
                heard = self.client.get_iopub_msg(timeout=0.1)
            except Exception:  # queue.Empty of zmq's own
                continue
            if heard["parent_header"].get("msg_id") != message:
                continue
            if heard["content"].get("execution_state") == "idle":
                return said
            said += heard["content"].get("text", "") + "\n".join(heard["content"].get("traceback", []))
        raise AssertionError(f"the cell does not end: {said}")

    def run(self, *cells: str) -> list[str]:
        return [self.hear(self.send(cell)) for cell in cells]

    def programs(self) -> list[psutil.Process]:
        """The cells that run."""
        return [p for p in psutil.Process(self.manager.provisioner.pid).children(recursive=True) if p.name().startswith("gonb_")]


@contextlib.contextmanager
def opened(runs: Path) -> Iterator[Notebook]:
    notebook = Notebook(runs)
    try:
        yield notebook
    finally:
        notebook.close()


def stored(runs: Path) -> dict:
    """The run.json of the one run that is stored; empty where there is none yet."""
    found = list(runs.glob("*/run.json"))
    return json.loads(found[0].read_text()) if found else {}


def made(runs: Path) -> int:
    return stored(runs).get("report", {}).get("updates", 0)


def in_the_middle(runs: Path) -> None:
    deadline = time.monotonic() + 300
    while made(runs) < 20:
        assert time.monotonic() < deadline, "nothing is stored"
        time.sleep(0.02)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory) -> str:
    """The checksum of the weights of a training that ran from start to end."""
    runs = tmp_path_factory.mktemp("undisturbed")
    with opened(runs) as notebook:
        assert f"{UPDATES} true" in notebook.run(*CELLS)[TRAIN]
    return stored(runs)["weights"]["sha256"]


def test_an_interrupted_cell_then_run_all(tmp_path, undisturbed):
    with opened(tmp_path) as notebook:
        messages = [notebook.send(cell) for cell in CELLS[: TRAIN + 1]]  # Run All
        pressed = []

        def press() -> None:
            if not pressed and made(tmp_path) >= 20:
                pressed.append(made(tmp_path))
                notebook.manager.interrupt_kernel()

        said = [notebook.hear(message, press) for message in messages][TRAIN]
        assert "interrupted after update" in said and "the same call goes on from there" in said
        kept = made(tmp_path)
        assert pressed[0] <= kept < UPDATES
        said = notebook.run(*CELLS)  # Run All
        assert f"{UPDATES} true" in said[TRAIN] and "1 <nil>" in said[TRAIN + 1] and "trained before" in said[TRAIN + 1]
    assert stored(tmp_path)["weights"]["sha256"] == undisturbed


def test_a_kernel_that_is_restarted_in_the_middle(tmp_path, undisturbed):
    with opened(tmp_path) as notebook:
        notebook.run(*CELLS[:TRAIN])
        notebook.send(CELLS[TRAIN])
        in_the_middle(tmp_path)
        old = notebook.programs()
        assert old
        notebook.manager.restart_kernel(now=True)
        notebook.client.wait_for_ready(timeout=120)
        kept = made(tmp_path)
        assert 20 <= kept < UPDATES
        _, alive = psutil.wait_procs(old, timeout=30)
        assert not alive, "the old kernel's cell trains on"
        assert f"{UPDATES} true" in notebook.run(*CELLS)[TRAIN]
    assert stored(tmp_path)["weights"]["sha256"] == undisturbed


def test_two_notebooks_with_the_same_training(tmp_path, undisturbed):
    """The second is told of the first, and has its result afterwards."""
    with opened(tmp_path) as one, opened(tmp_path) as other:
        one.run(*CELLS[:TRAIN])
        other.run(*CELLS[:TRAIN])
        training = one.send(CELLS[TRAIN])
        in_the_middle(tmp_path)
        (said,) = other.run(CELLS[TRAIN])
        assert "is being trained by another process: wait for it and call again" in said
        assert f"{UPDATES} true" in one.hear(training)
        (said,) = other.run(CELLS[TRAIN])
        assert "trained before" in said and f"{UPDATES} true" in said
    assert stored(tmp_path)["weights"]["sha256"] == undisturbed


def test_two_notebooks_with_trainings_of_their_own(tmp_path, undisturbed):
    with opened(tmp_path / "one") as one, opened(tmp_path / "other") as other:
        messages = [[notebook.send(cell) for cell in CELLS] for notebook in (one, other)]
        for notebook, sent in zip((one, other), messages):
            said = [notebook.hear(message) for message in sent]
            assert f"{UPDATES} true" in said[TRAIN] and "1 <nil>" in said[TRAIN + 1]
    for name in ("one", "other"):
        assert stored(tmp_path / name)["weights"]["sha256"] == undisturbed
