"""The checker and the runner find what they are for."""

import nbformat
import pytest
from conftest import said

import notebooks
from environment import ROOT

PNG = {"image/png": "iVBORw0KGgo=", "text/plain": "a picture"}


def committed(folder, **change):
    """A notebook with one good cell, or with one thing wrong."""
    cell = nbformat.v4.new_code_cell(change.pop("source", "%%\nfmt.Println(1)"), execution_count=change.pop("count", 1))
    cell.outputs = [nbformat.v4.new_output("display_data", data=change.pop("data", PNG))] + change.pop("outputs", [])
    notebook = nbformat.v4.new_notebook(cells=[cell])
    notebooks.normalise(notebook)
    notebook.metadata.update(change)
    path = folder / "some.ipynb"
    nbformat.write(notebook, path)
    return path


def stream(text, name="stdout"):
    return [nbformat.v4.new_output("stream", name=name, text=text)]


def test_accepts_a_good_notebook(tmp_path):
    assert notebooks.check(committed(tmp_path)) == []


def test_takes_no_picture_for_a_path(tmp_path):
    picture = """<img src="data:image/png;base64,iVBORw0KGgo/tmp/tmpTbWV2" alt="a heatmap">"""
    assert notebooks.check(committed(tmp_path, data=PNG | {"text/html": picture})) == []


@pytest.mark.parametrize(
    "change, words",
    [
        ({"count": 2}, "execution count 2"),
        ({"source": "//\n" * 46}, "46 lines"),
        ({"source": "// 1/11 \x07pprox 0.09"}, "control character"),
        ({"data": {"text/plain": "none"}}, "no picture"),
        ({"data": PNG | {"image/svg+xml": "<svg/>"}}, "SVG"),
        ({"data": PNG | {"text/html": "<b><svg></svg></b>"}}, "SVG"),
        ({"outputs": stream(f"saved {ROOT}/runs/x")}, "path of the machine"),
        ({"outputs": stream("saved /home/ada/x")}, "path of the machine"),
        ({"data": PNG | {"text/html": "<a href='/tmp/gonb_12345678/main.go'>"}}, "path of the machine"),
        ({"outputs": [nbformat.v4.new_output("error", ename="ERROR", evalue="exit status 2", traceback=[])]}, "ends in an error"),
        ({"source": "!false", "outputs": stream("exit status 1\n", "stderr")}, "shell command failed"),
        ({"kernelspec": {"name": "gonb", "display_name": "Go"}}, "another kernel"),
        ({"language_info": {"name": "python"}}, "language_info"),
        ({"outputs": stream("x" * 2_000_001)}, "bytes, more than"),
    ],
)
def test_names_what_is_wrong(tmp_path, change, words):
    (found,) = notebooks.check(committed(tmp_path, **change))
    assert "some.ipynb" in found and words in found


def test_names_a_file_that_is_no_notebook(tmp_path):
    path = tmp_path / "broken.ipynb"
    path.write_text("{")
    (found,) = notebooks.check(path)
    assert "broken.ipynb: no valid notebook" in found


@pytest.mark.parametrize(
    "bad, words",
    [
        ('%%\npanic("the model is gone")', "the model is gone"),
        ("%%\nundefined(1)", "undefined: undefined"),
        ("!echo before; exit 3", "a shell command failed: exit status 3"),
        ("%%\nos.Exit(4)", "exit status 4"),
    ],
)
def test_a_failing_cell_fails_the_notebook(run_cells, bad, words):
    run = run_cells("%%\nfmt.Println(1)", bad)
    assert said(run, 1) == "1\n"
    assert "cells.ipynb, code cell 2" in run.failure and words in run.failure


def test_output_is_kept_tidy(run_cells):
    run = run_cells('%%\nfor i := range 100 {\n\tfmt.Printf("\\rstep %d", i)\n\tos.Stdout.Sync()\n}\nfmt.Println()')
    assert run.failure is None
    (output,) = notebooks.code_cells(run.notebook)[0].outputs
    assert output.text.strip() == "step 99"
    assert run.notebook.metadata.language_info.name == "go"
