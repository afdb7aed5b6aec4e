"""The course's notebooks: each is run for real, and what is committed of it is fit to be read."""

import pytest

import notebooks
from environment import notebooks as course

each = pytest.mark.parametrize("path", course(), ids=notebooks.name)


@pytest.fixture(scope="module")
def scratch():
    with notebooks.scratch():
        yield


@each
def test_committed(path):
    assert not notebooks.check(path)


@pytest.mark.slow
@each
def test_runs(path, scratch, reports):
    run = notebooks.run_copy(path)
    reports.append(run.report())
    assert not run.failure, run.failure
