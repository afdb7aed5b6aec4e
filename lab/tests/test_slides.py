"""Notebooks become slides: each thing on a slide where it can be read, in one file that calls nobody, and as PDF."""

import base64
import re
import shutil
import struct
import subprocess
import zlib
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

import slides

ROWS, DECLARATIONS = 40, 12


def png(width: int, height: int) -> str:
    """A white picture, in base64."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + b"\xff" * width) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return base64.b64encode(data).decode()


def shown(kind: str, data: str) -> nbformat.NotebookNode:
    return new_output("display_data", data={kind: data, "text/plain": "shown otherwise"})


LONG = "\n\n".join(f"// f{n} is a declaration.\nfunc f{n}() int {{\n\treturn {n}\n}}" for n in range(DECLARATIONS))
WIDE = 'var wide = "' + "a long line " * 20 + '"'
PICTURE = f'<img alt="a curve" width="605" src="data:image/png;base64,{png(1210, 896)}">'
TABLE = "<table><thead><tr><th>n</th></tr></thead><tbody>" + "".join(f"<tr><td>row {n}</td></tr>" for n in range(ROWS)) + "</tbody></table>"
PROSE = "This is said at some length, so that a slide has room for only a few of it, and the next ones go to another. " * 3

NOTEBOOK = nbformat.v4.new_notebook(
    cells=[
        new_markdown_cell("# A title\n\n**Question.** What is $x^2$?\n\nMore of it, and [the next](02_next.ipynb)."),
        new_markdown_cell("## Empty\n### Formulas\n\nA sentence that ends in\n\n$$\\sum_i x_i,$$\n\nwhich goes on. " + PROSE),
        new_markdown_cell("## Prose\n\n" + "\n\n".join([PROSE] * 8) + "\n\nThis announces a list:\n\n- one\n- two"),
        new_markdown_cell("## Code"),
        new_code_cell('import (\n\t"fmt"\n)\n\n' + LONG),
        new_code_cell(WIDE),
        new_markdown_cell("## Outputs"),
        new_code_cell("%%\nfmt.Println(1)", outputs=[new_output("stream", text=" 100% |████| (1/1) loss 0.1\nsaid\n"), shown("text/html", PICTURE)]),
        new_code_cell("%%\nshow()", outputs=[shown("text/html", TABLE)]),
        new_code_cell("%%\nlisting()", outputs=[shown("text/markdown", "```go\nfunc listed() {}\n```")]),
        new_markdown_cell("Unseen.", metadata={"slideshow": {"slide_type": "skip"}}),
        new_markdown_cell("Whispered.", metadata={"slideshow": {"slide_type": "notes"}}),
        new_markdown_cell("Later.", metadata={"slideshow": {"slide_type": "slide"}}),
        new_markdown_cell("## Dangling"),
    ]
)  # fmt: skip


def test_blocks():
    text = "\n".join(slides.blocks(NOTEBOOK))
    assert '<span class="cp">%%</span>' in text and '<span class="kd">func</span>' in text, "Go is not coloured as Go"
    assert '"fmt"' not in text.replace("&quot;", '"') and "listing" not in text and "listed" in text
    assert "said" in text and "loss 0.1" not in text and "shown otherwise" not in text
    assert "Unseen" not in text and '<aside class="notes">' in text
    assert 'href="02_next.html"' in text
    assert '<span class="math">\\(x^2\\)</span>' in text and '<div class="math display">\\[\\sum_i x_i,\\]</div>' in text


@pytest.mark.parametrize(
    "source, left",
    [
        ('import "fmt"\nvar x = 1', "var x = 1"),
        ('import m "math"\n', ""),
        ('import (\n\t"fmt"\n\n\tm "math"\n)\n\nvar x = 1', "\nvar x = 1"),
        ('%%\nfmt.Println("import")', '%%\nfmt.Println("import")'),
        ("important()", "important()"),
    ],
)
def test_imports_are_left_out(source, left):
    assert slides.IMPORTS.sub("", source) == left


@pytest.mark.parametrize(
    "url, leads_to",
    [
        ("03.ipynb", "03.html"),
        ("solutions/02.ipynb#a", "solutions/02.html#a"),
        ("../docs/data.md", "../docs/data.md"),
        ("https://a.b/c.ipynb", "https://a.b/c.ipynb"),
    ],
)
def test_links(url, leads_to):
    assert f'href="{leads_to}"' in slides.markdown(f"[it]({url})")


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("slides")
    path = folder / "small.ipynb"
    nbformat.write(NOTEBOOK, path)
    return slides.write(path, folder)


# Each slide as it is shown: its title, its text, how far it reaches, and what is on it.
LOOK = """() => [...document.querySelectorAll(".slides section:not(.stack)")].map((section, n) => {
    Reveal.slide(...Object.values(Reveal.getIndices(section)));
    const slide = section.querySelector(".slide"), body = slide.querySelector(".body"), frame = slide.getBoundingClientRect();
    const inside = [...body.querySelectorAll("*")].map((e) => e.getBoundingClientRect()).filter((r) => r.width && r.height);
    const scale = frame.width / 1280;
    const foot = slide.querySelector("footer")?.getBoundingClientRect().top ?? frame.bottom;
    return {
        title: slide.querySelector("header").textContent,
        text: body.textContent.trim(),
        right: Math.max(...inside.map((r) => r.right)) - frame.right,
        low: Math.max(...inside.map((r) => r.bottom)) - foot,
        filled: frame.width / innerWidth,
        pixels: Math.min(9, ...[...body.querySelectorAll("img")].map((i) => i.naturalWidth / i.getBoundingClientRect().width)),
        letters: Math.min(99, ...[...body.querySelectorAll("p, li, td, .l")].map((e) => parseFloat(getComputedStyle(e).fontSize))),
        formulas: body.querySelectorAll("mjx-container svg").length,
    };
})"""


@pytest.mark.parametrize("width, height", [(1280, 720), (1920, 1080)])
def test_every_slide_can_be_read(made, browser, width, height):
    page = browser.new_page(viewport={"width": width, "height": height})
    foreign, errors = [], []
    page.on("request", lambda r: r.url.startswith((made.as_uri(), "data:", "blob:")) or foreign.append(r.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(made.as_uri())
    assert page.evaluate("() => window.ready")["small"] == []
    found = page.evaluate(LOOK)
    page.close()
    assert not foreign and not errors

    for slide in found:
        assert slide["text"] or slide["pixels"] < 9, f"an empty slide: {slide}"
        assert slide["right"] <= 1 and slide["low"] <= 1, f"does not fit: {slide}"
        assert slide["filled"] == pytest.approx(1, abs=0.01)
        assert slide["letters"] >= 15, f"tiny: {slide}"
        assert slide["pixels"] >= 0.99, f"a blurred picture: {slide}"
    titles = [s["title"] for s in found]
    assert titles == sorted(titles, key=titles.index), "a section's slides are not together"
    assert list(dict.fromkeys(titles)) == ["A title", "EmptyFormulas", "Prose", "Code", "Outputs"]
    assert found[0]["text"].startswith("Question.") and "More of it" not in found[0]["text"] and found[0]["formulas"] == 1

    formulas = next(s for s in found if s["title"] == "EmptyFormulas" and s["formulas"])
    assert "ends in" in formulas["text"] and "which goes on" in formulas["text"], "a sentence is broken"
    listed = next(s for s in found if "announces" in s["text"])
    assert "two" in listed["text"]
    text = "\n".join(s["text"] for s in found)
    assert [int(n) for n in re.findall(r"row (\d+)", text)] == list(range(ROWS)), "rows are lost"
    assert [int(n) for n in re.findall(r"func f(\d+)", text)] == list(range(DECLARATIONS)), "code is lost"
    for slide in found:
        if "func f" in slide["text"]:
            assert slide["text"].startswith("// f"), "a declaration is broken"
    assert found[-1]["text"] == "Later." and "Whispered" not in text


def test_pdf(made, browser):
    count, small = slides.print_pdf(browser, made)
    assert count > 10 and not small
    pdf = made.with_suffix(".pdf")
    if not shutil.which("pdfinfo"):
        pytest.skip("no pdfinfo found: install poppler-utils")
    info = subprocess.run(["pdfinfo", pdf], capture_output=True, text=True, check=True).stdout
    assert re.search(r"^Title: +A title$", info, re.M) and re.search(rf"^Pages: +{count}$", info, re.M)
    assert re.search(r"^Page size: +960 x 540 pts", info, re.M)
    listed = subprocess.run(["pdffonts", pdf], capture_output=True, text=True, check=True).stdout
    fonts = listed.splitlines()[2:]
    assert fonts and all(re.search(r"\byes (yes|no) +(yes|no) +\d+ +\d+$", f) for f in fonts), f"not embedded:\n{listed}"
    assert "SourceSansPro" in listed and "DejaVuSansMono" in listed
    text = subprocess.run(["pdftotext", pdf, "-"], capture_output=True, text=True, check=True).stdout
    assert "func f0() int {" in text and "a declaration" in text
    assert str(made.parent).encode() not in pdf.read_bytes()


def test_what_is_no_notebook(tmp_path, capsys):
    path = tmp_path / "broken.ipynb"
    path.write_text("{")
    assert slides.main([str(path)]) == 1
    assert "no slides of" in capsys.readouterr().err


def test_no_chromium(tmp_path, monkeypatch, capsys):
    path = tmp_path / "small.ipynb"
    nbformat.write(NOTEBOOK, path)
    monkeypatch.setattr(slides, "SLIDES", tmp_path / "slides")
    monkeypatch.setattr(slides, "chromium", lambda: None)
    assert slides.main([str(path)]) == 1
    assert (tmp_path / "slides" / "small.html").exists() and "no PDF: install Chromium" in capsys.readouterr().err
