"""The alignment explorer wherever a reader meets it, looked at in Chromium: in JupyterLab, exported, on slides, saved, and as a picture."""

import base64
import json
import re

import bleach
import nbconvert
import nbformat
import pytest
from conftest import MINUTES, opened, serving, written
from playwright.sync_api import Locator, Page

import notebooks
import slides

pytestmark = pytest.mark.slow

EOS = "<EOS>"
SOURCE = ["the", "european", "economic", "area"]
MODELS = {  # a dollar is no formula; one model attends to the end of the sentence, one does not
    "Bahdanau": (
        ["la", "zone", "$économique$", "européenne"],
        [[0.81, 0.03, 0.04, 0.1, 0.02], [0.05, 0.06, 0.1, 0.76, 0.03], [0.02, 0.11, 0.79, 0.05, 0.03], [0.01, 0.88, 0.06, 0.03, 0.02], [0, 0.01, 0.02, 0.05, 0.92]],
    ),
    "of rows": (["la", "المنطقة", "la"], [[0.3, 0.25, 0.25, 0.2], [0.25, 0.25, 0.25, 0.25], [0.2, 0.25, 0.25, 0.3]]),
}  # fmt: skip
HINT = "Point at a word"


def cell() -> str:
    """Go that shows the explorer and saves it."""

    def literal(values) -> str:
        return json.dumps(values, ensure_ascii=False).replace("[", "{").replace("]", "}")

    models = "\n".join(
        f"\t\t{{Name: {json.dumps(name)}, Target: []string{literal(target)}, Weights: [][]float64{literal(weights)}}},"
        for name, (target, weights) in MODELS.items()
    )
    return f"""import (
	"github.com/janpfeifer/must"

	"seq2attn/pkg/plotting"
)

%%
explorer := plotting.Explorer{{
	Title:  "Where do two models look?",
	Source: []string{literal(SOURCE)},
	Models: []plotting.Translation{{
{models}
	}},
}}
must.M(explorer.Show(plotting.Paper))
must.M(explorer.Save("saved.html", plotting.Paper))"""


@pytest.fixture(scope="module")
def notebook(tmp_path_factory):
    """A notebook that was run, not signed: JupyterLab does not trust it. There is another for the test that signs it."""
    folder = tmp_path_factory.mktemp("explorer")
    path = written(folder, cell())
    run = notebooks.execute(path, folder)
    assert not run.failure
    for copy in [path.with_name("trusted.ipynb"), path]:
        run.notebook.cells.append(nbformat.v4.new_markdown_cell(f"# {folder.name} {copy.stem}"))
        nbformat.write(run.notebook, copy)
    return path


@pytest.fixture(scope="module")
def lab(notebook):
    lab = serving(notebook.parent)
    yield lab
    lab.stop()


@pytest.fixture(scope="module")
def files(notebook, browser):
    """Pages made of the notebook."""
    exported = notebook.with_name("exported.html")
    exported.write_text(nbconvert.HTMLExporter().from_filename(notebook)[0])
    made = {"exported": exported, "saved": notebook.with_name("saved.html"), "slides": slides.write(notebook, notebook.parent / "slides")}
    slides.print_pdf(browser, made["slides"])
    made["sanitised"] = notebook.with_name("sanitised.html")
    made["sanitised"].write_text('<!DOCTYPE html><meta charset="utf-8"><body>' + sanitised(html(notebook)))
    return made


def html(path) -> str:
    return next(o for o in notebooks.code_cells(nbformat.read(path, 4))[0].outputs if "text/html" in o.get("data", {})).data["text/html"]


def sanitised(text: str) -> str:
    """What the strictest sites leave of an output: no styles at all, not even as attributes, and nothing that hides an element."""
    text = re.sub(r"<style>.*?</style>", "", text, flags=re.S)
    tags = {"b", "br", "button", "details", "div", "hr", "i", "img", "li", "ol", "p", "span", "strong", "summary", "table", "td", "th", "tr", "ul"}
    attributes = {"*": ["align", "dir", "open", "role", "tabindex"], "img": ["src", "alt", "width"]}
    return bleach.clean(text, tags=tags, attributes=attributes, protocols={"data"}, strip=True)


def in_lab(browser, lab, name: str) -> Page:
    page = opened(browser, lab, name, viewport={"width": 1280, "height": 1100}, has_touch=True)
    page.wait_for_selector(".jp-RenderedHTML", timeout=MINUTES)
    return page


def trust(page: Page) -> None:
    page.evaluate("() => { window.jupyterapp.commands.execute('notebook:trust') }")
    page.locator(".jp-Dialog .jp-mod-accept").click()
    page.wait_for_selector(".jp-RenderedHTML style", state="attached", timeout=MINUTES)


@pytest.fixture(scope="module", params=["trusted", "exported", "saved", "slides"])
def at_work(request, browser):
    """A page with the explorer at work, without a network but for JupyterLab's."""
    if request.param == "trusted":
        page = in_lab(browser, request.getfixturevalue("lab"), "trusted.ipynb")
        trust(page)
    else:
        page = browser.new_page(viewport={"width": 1280, "height": 720}, has_touch=True, offline=True)
        page.goto(request.getfixturevalue("files")[request.param].as_uri())
    if request.param == "slides":
        page.evaluate("() => window.ready")
        page.evaluate("""() => Reveal.slide(...Object.values(Reveal.getIndices(
            document.querySelector("[hidden=hidden]").closest(".slides section"))))""")
    explorer(page).scroll_into_view_if_needed()
    yield page
    page.close()


@pytest.fixture
def page(at_work):
    """The same, with the first model shown and no word pointed at."""
    explorer(at_work).locator("label").first.click()
    at_work.mouse.move(1, 1)
    return at_work


def explorer(page: Page) -> Locator:
    return page.locator("[hidden=hidden]")


def words(page: Page, side: str) -> Locator:
    """The words of the source (s) or the target (t) of the model that is shown."""
    return explorer(page).locator(f".{side} > b:visible")


# The copies that are shown, each with its words: what they say, their box, whether it lies on the word that it copies, and their colours.
LOOK = """(root) => [...root.querySelectorAll("b > span")].filter((s) => s.checkVisibility()).map((copy) => {
    const side = copy.closest(".s, .t"), other = [...side.parentElement.children].find((e) => e !== side).children;
    return [...copy.children].map((e, i) => {
        const box = e.getBoundingClientRect(), place = other[i].getBoundingClientRect(), style = getComputedStyle(e);
        return {
            word: getComputedStyle(e, "::before").content.slice(1, -1),
            number: e.dataset.w ?? "",
            over: ["left", "top", "right", "bottom"].every((k) => Math.abs(box[k] - place[k]) < 1),
            spot: [box.left + 5, box.bottom - 5],
            ground: style.backgroundColor,
            ink: style.color,
        };
    });
})"""


def lit(page: Page) -> list[list[dict]]:
    return explorer(page).evaluate(LOOK)


def rgb(colour: str) -> tuple[int, ...]:
    return tuple(int(n) for n in re.findall(r"\d+", colour)[:3]) if colour != "rgba(0, 0, 0, 0)" else (255, 255, 255)


def luminance(colour: tuple[int, ...]) -> float:
    r, g, b = ((c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4) for c in colour)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def dots(page: Page, spots: list[list[float]]) -> list[tuple[int, ...]]:
    """The colours that a screenshot has at places of the page."""
    shot = base64.b64encode(page.screenshot(animations="disabled")).decode()
    blank = page.context.browser.new_page()
    found = blank.evaluate(
        """async ([shot, spots]) => {
            const image = new Image();
            image.src = "data:image/png;base64," + shot;
            await image.decode();
            const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
            canvas.drawImage(image, 0, 0);
            return spots.map(([x, y]) => [...canvas.getImageData(Math.round(x), Math.round(y), 1, 1).data.slice(0, 3)]);
        }""",
        [shot, spots],
    )
    blank.close()
    return [tuple(c) for c in found]


def ended(said: list[str], n: int) -> list[str]:
    return said + [EOS] * (n - len(said))


def assert_lit(page: Page, other: list[str], weights: list[float]) -> None:
    """The words of the other sentence stand in their places, lit up in proportion, and that is what is seen."""
    copies = lit(page)
    assert len(copies) == 1, f"{len(copies)} copies are shown"
    shown = copies[0]
    assert [w["word"] for w in shown] == ended(other, len(weights))
    assert all(w["over"] for w in shown), f"not in their places: {shown}"
    assert [w["number"] for w in shown] == [f"{v:.2f}"[1:] if v >= 0.05 else "" for v in weights]
    colours = [rgb(w["ground"]) for w in shown]
    light = [luminance(c) for c in colours]
    order = sorted(range(len(weights)), key=lambda j: weights[j])
    for a, b in zip(order, order[1:]):
        if weights[b] - weights[a] > 0.02:
            assert light[b] < light[a], f"{weights[b]} is no darker than {weights[a]}: {shown}"
        if weights[a] == weights[b]:
            assert colours[a] == colours[b]
    for w, v in zip(shown, light):
        ink = luminance(rgb(w["ink"]))
        assert (max(ink, v) + 0.05) / (min(ink, v) + 0.05) >= 4.5, f"hard to read: {w}"
    for seen, colour in zip(dots(page, [w["spot"] for w in shown]), colours):
        assert max(abs(a - b) for a, b in zip(seen, colour)) <= 2, f"{seen} is seen, not {colour}"


def test_pointing_lights_words_up(page):
    target, weights = MODELS["Bahdanau"]
    assert lit(page) == []
    assert words(page, "s").count() == words(page, "t").count() == 5
    assert HINT in explorer(page).evaluate("e => [...e.querySelectorAll('p')].map(p => getComputedStyle(p, '::before').content).join()")
    for i, row in enumerate(weights):
        words(page, "t").nth(i).hover()
        assert_lit(page, SOURCE, row)
    words(page, "s").nth(2).hover()
    assert_lit(page, target, [row[2] for row in weights])
    page.mouse.move(1, 1)
    assert lit(page) == []
    assert not page.locator("img:visible").count(), "the picture shows beside the explorer"


def test_models_can_be_compared(page):
    labels = explorer(page).locator("label")
    labels.nth(1).click()
    target, weights = MODELS["of rows"]
    assert words(page, "t").count() == 3 and words(page, "s").count() == 4
    words(page, "t").nth(1).hover()
    assert_lit(page, SOURCE, weights[1])
    words(page, "s").nth(0).hover()
    assert_lit(page, target, [row[0] for row in weights])
    labels.nth(0).click()
    assert words(page, "t").count() == 5


def test_keyboard(page):
    focused = "() => document.activeElement.getAttribute('aria-label')"
    at = "() => JSON.stringify([window.jupyterapp?.shell.currentWidget.content.activeCellIndex, window.Reveal?.getIndices()])"
    explorer(page).locator("input").first.focus()
    before = page.evaluate(at)
    for key, count, name in [("ArrowRight", 3, "of rows"), ("ArrowLeft", 5, "Bahdanau"), ("ArrowDown", 3, "of rows"), ("ArrowUp", 5, "Bahdanau")]:
        page.keyboard.press(key)
        assert (words(page, "t").count(), page.evaluate(focused)) == (count, name), key
    for row in range(5):
        page.keyboard.press("Tab")
        assert_lit(page, MODELS["Bahdanau"][0], [r[row] for r in MODELS["Bahdanau"][1]])
    for row in MODELS["Bahdanau"][1][:2]:
        page.keyboard.press("Tab")
        assert_lit(page, SOURCE, row)
    assert page.evaluate(focused) == "zone: area 0.76, economic 0.10, european 0.06, the 0.05"
    page.keyboard.press("Shift+Tab")
    assert page.evaluate(focused).startswith("la: the 0.81")
    assert page.evaluate(at) == before, "the keys moved something else too"


def test_touch(page):
    target, weights = MODELS["of rows"]
    explorer(page).locator("label").nth(1).tap()
    words(page, "t").nth(0).tap()
    assert_lit(page, SOURCE, weights[0])
    words(page, "t").nth(2).tap()
    assert_lit(page, SOURCE, weights[2])
    words(page, "s").nth(1).tap()
    assert_lit(page, target, [row[1] for row in weights])


def test_others_read_it(page):
    """What a screen reader is told."""
    told = explorer(page).aria_snapshot()
    assert 'radio "Bahdanau" [checked]' in told and 'radio "of rows"' in told
    assert 'img "zone: area 0.76, economic 0.10, european 0.06, the 0.05"' in told


@pytest.fixture(params=["untrusted", "sanitised"])
def still(request, browser):
    """The output where styles are dropped."""
    if request.param == "untrusted":
        page = in_lab(browser, request.getfixturevalue("lab"), request.getfixturevalue("notebook").name)
    else:
        page = browser.new_page(viewport={"width": 1280, "height": 1100})
        page.goto(request.getfixturevalue("files")["sanitised"].as_uri())
    yield page
    page.close()


def test_the_picture_stands_in(still):
    output = still.locator(".jp-RenderedHTML, body").last
    assert not output.locator("style").count()
    picture = output.locator("img").first
    assert picture.is_visible() and picture.evaluate("i => i.complete && i.naturalWidth > 500")
    assert "zone – area 0.76" in picture.get_attribute("alt")
    summaries = [f"{name}: each target word with its source words" for name in MODELS]
    assert output.inner_text().split("\n") == summaries, "more is seen than the picture and the closed lists"

    output.get_by_text(summaries[0]).click()
    word = output.get_by_text("zone", exact=True)
    word.focus()
    still.keyboard.press("Space")
    said = output.get_by_text("area 0.76, economic 0.10, european 0.06, the 0.05")
    assert said.is_visible()
    if still.locator(".jp-Notebook").count():  # which keeps styles of single elements
        colours = [rgb(c) for c in said.locator("span").evaluate_all("all => all.map(e => getComputedStyle(e).backgroundColor)")]
        light = [luminance(c) for c in colours]
        assert len(light) == 5 and light[3] < 0.2 < light[2] < light[1] <= light[0] < light[4], light
    word.click()
    assert not said.is_visible()


def test_paper(files, browser):
    """Printed, it is the picture."""
    page = browser.new_page()
    page.goto(files["exported"].as_uri())
    page.emulate_media(media="print")
    assert page.locator("img").is_visible() and not explorer(page).is_visible() and not page.locator("summary").first.is_visible()
    page.close()
