// Makes slides of the notebook's blocks, which stand one below the other in <main>, and shows them with reveal.js.
//
// A heading begins a slide. What follows it is cut into atoms (a paragraph, an item, a row, a line, a picture), and the breaks between
// them are those of least cost: few slides, none nearly empty, little shrunk, no break inside of what belongs together. This is how
// Knuth and Plass (1981) break paragraphs into lines. It is done in the browser, because heights are only known there.
"use strict";

const HEIGHT = 720, TOP = 36, BOTTOM = 46, BELOW_TITLE = 18, WIDTH = 1184, GAP = 18; // as in slides.css
const SHRINK = { text: 0.1, code: 0.2, table: 0.25, picture: 0.25 }; // by which each kind may be made smaller, to fit
const CRISP = 1.5; // pixels of a picture for one of the slide's, so that it is sharp on a screen of 1920 × 1080
const KEEP = 1000; // the cost of a break where none should be
const SMALLEST = 0.8; // a slide that had to be made smaller than this is reported

const print = /print-pdf/.test(location.search);

// Sizes of blocks that depend on their own width only.

function prepare(block) {
  if (block.matches("pre")) {
    const longest = Math.max(...[...block.children].map((l) => l.textContent.length));
    const fits = (WIDTH - 40) / longest / 0.6021; // the width of a character
    // Columns of an output stay aligned where that leaves them readable; code may go on in the next line.
    if (fits < 20 && fits >= (block.matches(".text") ? 15 : 17.5)) block.style.setProperty("--size", `${fits}px`);
  } else if (!block.matches("img") && block.scrollWidth > WIDTH) {
    block.style.zoom = WIDTH / block.scrollWidth;
  }
}

// Atoms: {block, node, kind, height, extra, cost}: extra is the height of its block's frame, cost that of a break before it.

const height = (e) => e.getBoundingClientRect().height;
const blank = (line) => !line.textContent.trim();

// What a break before a line of code costs: least between declarations, more the deeper inside and the fewer lines it cuts off.
function breakInCode(line, before, off) {
  const indent = Number(line.style.getPropertyValue("--in"));
  if (blank(line) || /^\s*[})]/.test(line.textContent) || /^\s*\/\//.test(before.textContent)) return KEEP / 10;
  return blank(before) ? (indent ? 3 : 0.3) : 8 + indent + Math.max(0, 6 - off) * 2;
}

function atoms(block, room) {
  const cut = (kind, parts, cost) => {
    const heights = parts.map(height);
    const extra = height(block) - heights.reduce((a, b) => a + b, 0);
    return parts.map((node, i) => ({ block, node, kind, height: heights[i], extra, cost: i && cost(node, parts[i - 1], Math.min(i, parts.length - i)) }));
  };
  if (block.matches("pre")) {
    return cut(block.style.getPropertyValue("--size") ? "box" : "code", [...block.children], breakInCode);
  }
  if (block.matches("table") && block.tBodies.length) return cut("table", [...block.tBodies[0].rows], () => 20);
  if (block.matches("ul, ol")) return cut("text", [...block.children], () => 2);
  if (block.matches("img")) {
    const wide = Math.min(WIDTH, block.naturalWidth / CRISP);
    const tall = Math.min(room, (wide * block.naturalHeight) / block.naturalWidth) || height(block);
    return [{ block, node: block, kind: "picture", height: tall, extra: 0, cost: 0 }];
  }
  return [{ block, node: block, kind: block.matches("p") ? "text" : "box", height: height(block), extra: 0, cost: 0 }];
}

// What a break between two blocks costs: a sentence stays whole, and with what it announces.
function between(before, block) {
  if (block.dataset.slide === "-" || before.matches("h4, h5, h6")) return KEEP;
  const said = before.textContent.trim();
  const open = before.dataset.open || (before.matches("p, ul, ol") && !/[.!?)”"]$/.test(said));
  const continued = before.matches(".display") && block.matches("p") && /^[a-z]/.test(block.textContent.trim());
  if (open || continued) return KEEP / 10;
  if (block.matches(".display")) return 5;
  if (before.matches("p") && block.matches("pre.code")) return 1;
  if (before.matches("ul, ol") && block.matches("ul, ol")) return 2;
  return before.matches("pre.code") && !block.matches("p, pre.code") ? 1 : 0;
}

// The places where slides begin: `list` is of atoms, `room` the height that each slide has for them.
function breaks(list, room) {
  const least = [0], from = [0];
  for (let end = 1; end <= list.length; end++) {
    least[end] = Infinity;
    let whole = 0, firm = 0;
    for (let begin = end - 1; begin >= 0; begin--) {
      const a = list[begin], next = begin + 1 < end && list[begin + 1];
      // The frame and the gap of the atom behind are counted when it turns out to be in another block.
      const frame = next && next.block === a.block ? 0 : a.extra + (next ? GAP : 0);
      whole += a.height + frame;
      firm += a.height * (1 - (SHRINK[a.kind] || 0)) + frame;
      if (firm > room && begin < end - 1) break;
      const squeezed = Math.max(0, whole - room) / Math.max(whole - firm, 1);
      const empty = Math.max(0, room - whole) / room;
      const left = begin && end === list.length && whole < room / 6 ? 2 : 0; // a last line or two by themselves
      const price = firm > room ? KEEP : 1 + left + 1.2 * empty ** 2 + 2.5 * squeezed ** 2;
      const total = least[begin] + price + (begin ? a.cost : 0);
      if (total < least[end]) [least[end], from[end]] = [total, begin];
      if (a.forced) break;
    }
  }
  const found = [];
  for (let end = list.length; end > 0; end = from[end]) found.unshift([from[end], end]);
  return found.map(([begin, end]) => list.slice(begin, end));
}

// Part of a block, as a block of its own.
function part(group, all) {
  const block = group[0].block;
  if (group.length === all) return block;
  const copy = block.cloneNode(false);
  let nodes = group.map((a) => a.node);
  if (block.matches("pre")) {
    while (nodes.length && blank(nodes[0])) nodes.shift();
    while (nodes.length && blank(nodes.at(-1))) nodes.pop();
  } else if (block.matches("table")) {
    for (const e of [block.caption, block.tHead]) if (e) copy.append(e.cloneNode(true));
    const body = document.createElement("tbody");
    body.append(...nodes);
    nodes = [body];
  } else if (block.matches("ol")) {
    copy.start = block.start + block.dataset.given * 1;
    block.dataset.given = block.dataset.given * 1 + nodes.length;
  }
  copy.append(...nodes);
  return copy;
}

function element(tag, kind, ...content) {
  const e = document.createElement(tag);
  if (kind) e.className = kind;
  e.append(...content);
  return e;
}

// Sections: {title, above, blocks} of the notebook, one for each heading.

function sections(main) {
  const found = [];
  let above = null;
  for (const e of [...main.children]) {
    if (e.matches("h1, h2, h3")) {
      if (!e.matches("h3")) above = e;
      found.push({ title: e, above: e.matches("h3") ? above : null, blocks: [] });
    } else {
      if (!found.length) found.push({ title: element("h2"), above: null, blocks: [] });
      found.at(-1).blocks.push(e);
    }
  }
  return found.filter((s) => s.blocks.length);
}

function header(section, again) {
  const copy = [...section.title.cloneNode(true).childNodes];
  const title = again ? element("div", "again", ...copy) : element(section.title.localName, "", ...copy);
  const above = section.above && element("div", "above", ...section.above.cloneNode(true).childNodes);
  return element("header", "", ...(above ? [above] : []), title);
}

function slide(section, group, sizes, again, cover, name) {
  const body = element("div", "body");
  for (let i = 0, j; i < group.length; i = j) {
    for (j = i; j < group.length && group[j].block === group[i].block; j++);
    body.append(part(group.slice(i, j), sizes.get(group[i].block)));
  }
  const made = element("div", cover ? "slide cover" : "slide", header(section, again), body);
  if (!cover) made.append(element("footer", "", name));
  return element("section", "", made);
}

// Makes what may shrink just as small as it must be. Returns the scale of what had to be made smaller than that.
function fit(made, group, room) {
  const body = made.querySelector(".body");
  const pictures = group.filter((a) => a.kind === "picture");
  for (let by = 0; by <= 1.001; by += 0.05) {
    for (const [kind, most] of Object.entries(SHRINK)) body.style.setProperty(`--${kind}`, 1 - most * by);
    for (const p of pictures) p.node.style.height = `${p.height * (1 - SHRINK.picture * by)}px`;
    if (height(body) <= room + 0.5) return 1;
  }
  const scale = room / height(body);
  body.style.zoom = scale;
  return scale;
}

// Cuts the notebook into stacks of slides, one stack for each heading of the second level.
function deck(main, stage) {
  const stacks = [], small = [];
  const name = main.querySelector("h1")?.textContent || document.title;
  for (const section of sections(main)) {
    const notes = section.blocks.filter((b) => b.matches("aside"));
    const blocks = section.blocks.filter((b) => !b.matches("aside"));
    const probe = element("div", "slide", header(section, false));
    stage.append(probe);
    const room = HEIGHT - TOP - BOTTOM - BELOW_TITLE - height(probe.firstChild);
    probe.remove();

    const list = [], sizes = new Map();
    const isCover = section.title.matches("h1") && !stacks.length && blocks[0]?.matches("p");
    blocks.forEach((block, i) => {
      prepare(block);
      if (block.matches("ol")) block.dataset.given = 0;
      const cut = atoms(block, room);
      if (i) cut[0].cost = between(blocks[i - 1], block);
      cut[0].forced = /slide/.test(block.dataset.slide) || (isCover && i === 1);
      sizes.set(block, cut.length);
      list.push(...cut);
    });
    const made = breaks(list, room).map((group, i) => {
      const cover = isCover && !i;
      const s = slide(section, group, sizes, i > 0, cover, name);
      stage.append(s);
      const scale = fit(s, group, cover ? HEIGHT / 2 : room);
      if (scale < SMALLEST) small.push(`${section.title.textContent}: shrunk to ${Math.round(scale * 100)}%`);
      return s;
    });
    made[0]?.append(...notes);
    if (section.title.matches("h3") && stacks.length) stacks.at(-1).push(...made);
    else if (made.length) stacks.push(made);
  }
  return { stacks, small };
}

// The picture or table that is all that an element shows, however deep in it.
function alone(e) {
  if (e.matches("img, table")) return e;
  const seen = [...e.childNodes].filter((n) => (n.nodeType === Node.TEXT_NODE ? n.data.trim() : n.nodeType === Node.ELEMENT_NODE && n.checkVisibility()));
  return seen.length === 1 && seen[0].nodeType === Node.ELEMENT_NODE ? alone(seen[0]) : null;
}

// Keeps a formula in one line with the bracket before it and the comma behind it.
function hold(formula) {
  const whole = element("span", "whole"), before = formula.previousSibling, after = formula.nextSibling;
  formula.replaceWith(whole);
  const take = (text, pattern) => {
    const found = text?.nodeType === Node.TEXT_NODE && text.data.match(pattern)?.[0];
    if (found) text.data = text.data.replace(pattern, "");
    return found || "";
  };
  whole.append(take(before, /\S+$/), formula, take(after, /^\S+/));
}

async function start() {
  const main = document.querySelector("main"), slides = document.querySelector(".slides");
  for (const f of main.querySelectorAll("span.math")) hold(f);
  for (const d of main.querySelectorAll(".display")) if (/[,;:]\s*\\\]$/.test(d.textContent.trim())) d.dataset.open = "yes";
  await MathJax.startup.promise;
  await MathJax.typesetPromise([...main.querySelectorAll(".math")]);
  await Promise.all([...document.fonts].map((f) => f.load()));
  await Promise.all([...main.querySelectorAll("img")].map((i) => i.decode().catch(() => {})));

  // An output that shows but a picture or a table is treated as one.
  for (const o of main.querySelectorAll(".output")) {
    const only = alone(o);
    if (!only) continue;
    only.dataset.slide = o.dataset.slide || "";
    o.replaceWith(only);
  }
  const stage = element("div", "stage");
  stage.style.cssText = "position: absolute; width: 1280px; visibility: hidden";
  document.body.append(stage);
  // In the PDF only links to the web lead anywhere.
  if (print) for (const a of main.querySelectorAll("a[href]")) if (!/^https?:/.test(a.getAttribute("href"))) a.removeAttribute("href");
  const { stacks, small } = deck(main, stage);
  for (const s of stacks) slides.append(s.length > 1 ? element("section", "", ...s) : s[0]);
  main.remove();
  stage.remove();

  const printed = new Promise((done) => Reveal.on("pdf-ready", done));
  await Reveal.initialize({
    width: 1280, height: HEIGHT, margin: 0, center: false, display: "block", hash: true, navigationMode: "linear", transition: "none",
    slideNumber: "c/t", controls: false, pdfMaxPagesPerSlide: 1, pdfSeparateFragments: false, plugins: [RevealNotes],
  });
  if (print) await printed;
  return { slides: Reveal.getTotalSlides(), small };
}

window.ready = start();
