"""A reader's way through a notebook, in a real browser: run all cells, change a hyperparameter, see the picture change."""

import re
import shutil

import nbformat
import pytest
from conftest import MINUTES, opened, serving
from playwright.sync_api import Page

from environment import NOTEBOOKS

pytestmark = pytest.mark.slow

NOTEBOOK = NOTEBOOKS / "03_bahdanau_attention.ipynb"
HYPERPARAMETERS, FIGURE = "hyperparameters", "figure"  # tags of the cells

# Where the course's notebook is not written yet, this stands in for it.
STAND_IN = [
    ("imports", 'import (\n\t"image"\n\t"image/color"\n\t"math/rand/v2"\n\t"github.com/janpfeifer/gonb/gonbui"\n)'),
    (HYPERPARAMETERS, "var Seed uint64 = 1"),
    (
        FIGURE,
        "%%\nrandom := rand.New(rand.NewPCG(Seed, 0))\npicture := image.NewGray(image.Rect(0, 0, 64, 64))\nfor i := range 64 * 64 {\n"
        "\tpicture.SetGray(i%64, i/64, color.Gray{Y: uint8(random.UintN(256))})\n}\ngonbui.DisplayImage(picture)\ngonbui.Sync()",
    ),
]


@pytest.fixture
def page(tmp_path, browser):
    """JupyterLab over a folder with a copy of the notebook, so that the browser saves nothing into the checkout."""
    path = tmp_path / NOTEBOOK.name
    if NOTEBOOK.exists():
        shutil.copy(NOTEBOOK, path)
    else:
        cells = [nbformat.v4.new_code_cell(source, metadata={"tags": [tag]}) for tag, source in STAND_IN]
        nbformat.write(
            nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": {"name": "seq2attn", "display_name": "Go (seq2attn)"}}), path
        )
    lab = serving(tmp_path, SEQ2ATTN_RUNS=str(tmp_path / "runs"))
    page = opened(browser, lab, path.name)
    yield page
    page.close()
    lab.stop()


def cells(page: Page) -> list[dict]:
    return page.evaluate("() => window.jupyterapp.shell.currentWidget.content.model.toJSON().cells")


def pictures(cell: dict) -> list[str]:
    """The pictures that a cell shows, as they are stored."""
    found = []
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        found += [data["image/png"]] if "image/png" in data else re.findall(r"data:image/[^\"']+", "".join(data.get("text/html", "")))
    return found


def tagged(all_cells: list[dict], tag: str) -> int | None:
    return next((i for i, c in enumerate(all_cells) if tag in c["metadata"].get("tags", [])), None)


def run(page: Page, command: str, index: int = 0) -> None:
    """Runs cells from one that is made the active one, and waits for the end."""
    page.set_default_timeout(20 * MINUTES)
    page.evaluate(
        "async ([command, index]) => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = index; await window.jupyterapp.commands.execute(command) }",
        [command, index],
    )


def retype(page: Page, index: int, source: str) -> None:
    """Types over a cell, as a reader does."""
    page.evaluate(
        "async i => { const n = window.jupyterapp.shell.currentWidget.content; n.activeCellIndex = i; await n.scrollToItem(i, 'center'); n.mode = 'edit' }",
        index,
    )
    page.locator(".jp-Cell.jp-mod-active .cm-content").click()
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.insert_text(source)


def changed(source: str) -> str:
    """The hyperparameters with another seed, which costs as long as before and shows in every figure."""
    new, count = re.subn(r"(?i)(\bseed\w*\b[^=\n:]*(?:=|:=|:)\s*)(\d+)", lambda m: f"{m[1]}{int(m[2]) + 1}", source, count=1)
    assert count, f"no seed among the hyperparameters:\n{source}"
    return new


def failures(all_cells: list[dict]) -> list[str]:
    return [
        f"cell {i}: {o['ename']} {o['evalue']}"
        for i, c in enumerate(all_cells)
        for o in c.get("outputs", [])
        if o["output_type"] == "error"
    ]


def test_a_changed_hyperparameter_changes_the_picture(page):
    run(page, "notebook:run-all-cells")
    before = cells(page)
    assert not failures(before)
    hyperparameters = tagged(before, HYPERPARAMETERS)
    assert hyperparameters is not None, f"no cell is tagged {HYPERPARAMETERS}"
    figure = tagged(before, FIGURE)
    if figure is None:
        figure = next(i for i, c in enumerate(before) if i > hyperparameters and pictures(c))
    assert pictures(before[figure])

    retype(page, hyperparameters, changed(before[hyperparameters]["source"]))
    for index in range(hyperparameters, figure + 1):
        if before[index]["cell_type"] == "code":
            run(page, "notebook:run-cell", index)
    after = cells(page)
    assert not failures(after)
    assert after[hyperparameters]["source"] != before[hyperparameters]["source"]
    assert after[figure]["execution_count"] > before[figure]["execution_count"]
    assert pictures(after[figure]) and pictures(after[figure]) != pictures(before[figure])
    page.evaluate("i => window.jupyterapp.shell.currentWidget.content.scrollToItem(i, 'center')", figure)
    shown = page.locator(".jp-Cell.jp-mod-active .jp-OutputArea img").first
    shown.wait_for(timeout=MINUTES)
    assert shown.evaluate("image => image.complete && image.naturalWidth > 0")
    assert not page.foreign, "JupyterLab called others"
