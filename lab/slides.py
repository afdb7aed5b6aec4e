"""Makes slides of notebooks, as they are committed: `slides.py [NOTEBOOK …]`.

Of each notebook it writes a page with reveal.js, which needs no other file and no network, and a PDF of it, both in the folder
`slides`. A notebook becomes a list of blocks here; slides/slides.js cuts it into slides, because that needs their heights.
"""

import base64
import html
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from string import Template

import nbformat
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from playwright.sync_api import Browser, sync_playwright
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer, inherit
from pygments.lexers import get_lexer_by_name
from pygments.lexers.go import GoLexer
from pygments.lexers.special import TextLexer
from pygments.token import Comment
from pygments.util import ClassNotFound

from environment import NOTEBOOKS, ROOT, SLIDE_ASSETS, chromium, notebooks
from notebooks import ANSI, name

TEMPLATES = ROOT / "lab" / "slides"
SLIDES = ROOT / "slides"
FONT_MODULE = "codeberg.org/go-fonts/dejavu"  # figures are drawn with it too
TAB = 4  # columns
SHOWN = ["text/html", "image/png", "image/jpeg", "text/markdown", "text/plain"]  # of an output, the first that it has
PROGRESS = re.compile(r"^.*\d+% ?\|[█▏▎▍▌▋▊▉ ]*\|.*$\n?", re.M)
IMPORTS = re.compile(r'\A\s*import\s*(\([^)]*\)|(\w+ )?"[^"]*")[ \t]*(\n|\Z)')


# Blocks.


class Cell(GoLexer):
    """Go as it stands in a cell: lines that begin with % or ! are for GoNB."""

    name = "GoNB"
    tokens = {"root": [(r"^[%!].*\n?", Comment.Preproc), inherit]}


def lines(kind: str, shown: str) -> str:
    """A block of lines, each an element that knows how far it is indented."""
    found = []
    for line in shown.rstrip("\n").split("\n"):
        text = html.unescape(re.sub(r"<[^>]+>", "", line))
        found.append(f'<span class="l" style="--in:{len(text) - len(text.lstrip())}">{line}</span>')
    return f'<pre class="{kind}">{"".join(found)}</pre>\n'


def code(source: str, lexer: Lexer) -> str:
    source = source.strip("\n").expandtabs(TAB)
    return lines("code", highlight(source, lexer, HtmlFormatter(nowrap=True))) if source.strip() else ""


def plain(text: str) -> str:
    """The text of an output as a terminal shows it, but for its progress bars."""
    text = "\n".join(line.rstrip("\r").rsplit("\r", 1)[-1] for line in ANSI.sub("", text).split("\n"))
    text = PROGRESS.sub("", text).strip("\n").expandtabs(TAB)
    return lines("text", html.escape(text)) if text else ""


class Renderer(IPythonRenderer):
    """Marks what MathJax is to typeset, and shows Go as cells do."""

    def __init__(self, **options):
        super().__init__(escape=False, exclude_anchor_links=True, **options)

    def block_code(self, code_: str, info: str | None = None) -> str:
        language = (info or "").split(maxsplit=1)[:1]
        try:
            return code(code_, Cell() if language == ["go"] else get_lexer_by_name(*language or ["text"]))
        except ClassNotFound:
            return code(code_, TextLexer())

    def block_math(self, body: str) -> str:
        return f'<div class="math display">\\[{self.escape_html(body)}\\]</div>\n'

    def inline_math(self, body: str) -> str:
        return f'<span class="math">\\({self.escape_html(body)}\\)</span>'

    def latex_environment(self, name: str, body: str) -> str:
        return f'<div class="math display">{super().latex_environment(name, body)}</div>\n'

    def link(self, text: str, url: str, title: str | None = None) -> str:
        """Another notebook's slides lie beside these as the notebooks do."""
        return super().link(text, re.sub(r"^(?!\w+:)(.*)\.ipynb(?=#|$)", r"\1.html", url), title)


def markdown(source: str, **options) -> str:
    return MarkdownWithMath(renderer=Renderer(**options)).render(source)


def output(out: nbformat.NotebookNode) -> str:
    if out.output_type == "stream":
        return plain(out.text)
    if out.output_type == "error":
        return plain("\n".join(out.traceback) or f"{out.ename}: {out.evalue}")
    kind = next((k for k in SHOWN if k in out.data), None)
    match kind:
        case None:
            return ""
        case "text/html":
            return f'<div class="output">{out.data[kind]}</div>'
        case "text/markdown":
            return markdown(out.data[kind])
        case "text/plain":
            return plain(out.data[kind])
    return f'<div class="output"><img alt="{html.escape(out.data.get("text/plain", ""))}" src="data:{kind};base64,{out.data[kind].strip()}"></div>'


def blocks(notebook: nbformat.NotebookNode) -> Iterator[str]:
    """Each cell as HTML. What its slideshow metadata says goes before the rules: slide, subslide, fragment, -, skip, notes."""
    for cell in notebook.cells:
        how = cell.metadata.get("slideshow", {}).get("slide_type", "")
        hidden = cell.metadata.get("jupyter", {})
        if how == "skip":
            continue
        if cell.cell_type == "markdown":
            shown = markdown(cell.source, attachments=cell.get("attachments"))
        elif cell.cell_type == "code":
            outputs = "" if hidden.get("outputs_hidden") else "\n".join(map(output, cell.outputs))
            # Nobody reads imports from a screen, and a cell that prints code is there for the code.
            unseen = hidden.get("source_hidden") or outputs.startswith('<pre class="code">')
            shown = ("" if unseen else code(IMPORTS.sub("", cell.source), Cell())) + outputs
        else:
            continue
        if how == "notes":
            shown = f'<aside class="notes">{shown}</aside>'
        elif how == "fragment":
            shown = re.sub(r"^(\s*)<(\w+)( class=\")?", lambda m: f'{m[1]}<{m[2]} class="fragment{" " if m[3] else chr(34)}', shown, count=1)
        elif how:
            shown = re.sub(r"^(\s*<\w+)", rf'\1 data-slide="{html.escape(how)}"', shown, count=1)
        if shown.strip():
            yield shown


# Pages.


def font(family: str, path: Path, more: str = "") -> str:
    kind = path.suffix[1:]
    data = base64.b64encode(path.read_bytes()).decode()
    return f'@font-face {{ font-family: "{family}"; src: url(data:font/{kind};base64,{data}); {more} }}'


def fonts() -> Iterator[str]:
    sans = SLIDE_ASSETS / "reveal.js" / "dist" / "theme" / "fonts" / "source-sans-pro"
    yield font("Source Sans Pro", sans / "source-sans-pro-regular.woff")
    yield font("Source Sans Pro", sans / "source-sans-pro-italic.woff", "font-style: italic;")
    yield font("Source Sans Pro", sans / "source-sans-pro-semibold.woff", "font-weight: 600 700;")
    module = subprocess.run(["go", "list", "-m", "-f", "{{.Dir}}", FONT_MODULE], cwd=ROOT, capture_output=True, text=True, check=True)
    yield font("DejaVu Sans Mono", Path(module.stdout.strip(), "dejavusansmono", "DejaVuSansMono.ttf"))


def script(path: Path) -> str:
    """A script for use inside of a page, where its own text must not end it."""
    return f"<script>{path.read_text().replace('</script', '<' + chr(92) + '/script')}</script>"


def page(notebook: nbformat.NotebookNode, title: str) -> str:
    """A notebook's slides, in one HTML page that needs no other file."""
    reveal = SLIDE_ASSETS / "reveal.js"
    scripts = [
        SLIDE_ASSETS / "tex-svg.js",
        reveal / "dist" / "reveal.js",
        reveal / "plugin" / "notes" / "notes.js",
        TEMPLATES / "slides.js",
    ]
    style = [
        (reveal / "dist" / "reveal.css").read_text(),
        *fonts(),
        (TEMPLATES / "slides.css").read_text(),
    ]
    return Template((TEMPLATES / "slides.html").read_text()).substitute(
        title=html.escape(title),
        style="\n".join(style),
        blocks="\n".join(blocks(notebook)),
        scripts="\n".join(map(script, scripts)),
    )


def title(notebook: nbformat.NotebookNode, otherwise: str) -> str:
    """The notebook's first heading."""
    text = "\n".join(c.source for c in notebook.cells if c.cell_type == "markdown")
    found = re.search(r"^# (.+)$", text, re.M)
    return found.group(1).replace("`", "").strip() if found else otherwise


def write(path: Path, folder: Path) -> Path:
    """Writes a notebook's page and returns its path."""
    notebook = nbformat.read(path, as_version=4)
    inside = path.relative_to(NOTEBOOKS) if path.is_relative_to(NOTEBOOKS) else Path(path.name)
    made = (folder / inside).with_suffix(".html")
    made.parent.mkdir(parents=True, exist_ok=True)
    made.write_text(page(notebook, title(notebook, path.stem)))
    return made


def print_pdf(browser: Browser, made: Path) -> tuple[int, list[str]]:
    """Writes the PDF beside a page; returns how many slides it has, and what on them had to be made very small."""
    tab = browser.new_page(viewport={"width": 1280, "height": 720})
    failed: list[str] = []
    tab.on("pageerror", lambda error: failed.append(str(error)))
    tab.emulate_media(media="print")  # an output may look otherwise on paper, and is measured so
    tab.goto(f"{made.as_uri()}?print-pdf")
    said = tab.evaluate("() => window.ready")
    if failed:
        raise RuntimeError(f"{name(made)}: {failed[0]}")
    tab.pdf(path=made.with_suffix(".pdf"), prefer_css_page_size=True, print_background=True, outline=True, tagged=True)
    tab.close()
    return said["slides"], said["small"]


def main(arguments: list[str]) -> int:
    pages = []
    for argument in arguments or notebooks():
        path = Path(argument).resolve()
        try:
            pages.append(write(path, SLIDES))
        except (OSError, nbformat.reader.NotJSONError) as error:
            print(f"seq2attn: no slides of {name(path)}: {error}", file=sys.stderr)
            return 1
    program = chromium()
    if not program:
        print(f"seq2attn: wrote {', '.join(map(name, pages))}, but no PDF: install Chromium, or name one in CHROMIUM", file=sys.stderr)
        return 1
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        for made in pages:
            slides, small = print_pdf(browser, made)
            print(f"{name(made)} and .pdf: {slides} slides", flush=True)
            for line in small:
                print(f"    hard to read: {line}", flush=True)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
