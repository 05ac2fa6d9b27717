// The drawing of a component: positions by d3-force, computed at once, and SVG that zooms.
const SVG = "http://www.w3.org/2000/svg";
const svg = byId("drawing");
const WEIGHED_UP_TO = 30; // links, beyond which weights are shown by thickness only
const LINE = 15; // height of a name
const view = { part: null, scale: 1, x: 0, y: 0, selected: null, path: null };

function draw(tag, attributes, parent = svg) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  parent.append(made);
  return made;
}

// Positions are kept: a component looks the same each time.
function layOut(part) {
  if (part.nodes) return;
  const nodes = part.vertices.map((vertex) => ({ vertex }));
  const ends = part.links.map(({ source, target }) => ({
    source: source.number, target: target.number,
  }));
  d3.forceSimulation(nodes)
    .force("link", d3.forceLink(ends).distance(40))
    .force("charge", d3.forceManyBody().strength(-90))
    .force("x", d3.forceX().strength(0.06))
    .force("y", d3.forceY().strength(0.06))
    .stop()
    .tick(250);
  part.nodes = nodes;
}

function weightScale(part) {
  const numbers = part.links.map((link) => Number(link.weight)).filter(Number.isFinite);
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  part.isWeighed = low < high;
  return (link) => {
    const share = (Number(link.weight) - low) / (high - low);
    return Number.isFinite(share) ? 1 + 3 * share : 1.5;
  };
}

// Names for a drawing: what all of them begin or end with is left out, if it is long.
function shortNames(part) {
  const names = part.vertices.map(({ name }) => [...name]);
  const longest = Math.min(...names.map((name) => name.length)) - 1;
  const shared = (letter) => {
    let length = 0;
    const isShared = (name) => letter(name, length) === letter(names[0], length);
    while (length < longest && names.every(isShared)) length += 1;
    return length > 8 ? length : 0;
  };
  const start = shared((name, at) => name[at]);
  const end = Math.min(shared((name, at) => name.at(-1 - at)), longest - start);
  return names.map((name) => short((start ? "\u2026" : "")
    + name.slice(start, name.length - end).join("") + (end ? "\u2026" : "")));
}

// Makes the elements of a component; `place` moves them.
function drawPart(part) {
  Object.assign(view, { part, scale: 1, x: 0, y: 0, selected: null, path: null });
  svg.replaceChildren();
  byId("figure").hidden = !part.links.length;
  if (!part.links.length) return;
  layOut(part);
  const width = weightScale(part);
  const lines = draw("g", {});
  part.lines = part.links.map((link) => {
    const line = draw("line", { "stroke-width": width(link) }, lines);
    draw("title", {}, line).textContent = describeLink(link);
    return line;
  });
  part.weightTexts = part.links.map((link) =>
    link.weight !== undefined && part.links.length <= WEIGHED_UP_TO
      ? Object.assign(draw("text", { class: "weight" }), { textContent: link.weight }) : null);
  part.circles = part.vertices.map((vertex) => {
    const circle = draw("circle", { r: part.vertices.length > 100 ? 4 : 6 });
    draw("title", {}, circle).textContent = vertex.name;
    circle.addEventListener("click", () => select(vertex));
    return circle;
  });
  part.names = shortNames(part).map((name) =>
    Object.assign(draw("text", {}), { textContent: name }));
  part.widths = part.names.map((name) => name.getComputedTextLength());
  svg.setAttribute("aria-label", `Drawing of ${counted(part.vertices.length, "vertex", "vertices")}`
    + ` and ${counted(part.links.length, "link", "links")}; both are listed below.`);
  drawLegend(part);
  mark();
}

function place() {
  const { part } = view;
  if (!part?.nodes) return;
  const [width, height] = [svg.clientWidth, svg.clientHeight];
  const [xs, ys] = [part.nodes.map((node) => node.x), part.nodes.map((node) => node.y)];
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  const room = [width - 2 * Math.min(70, width / 6), height - 80];
  const fit = Math.min(room[0] / (right - left || 1), room[1] / (bottom - top || 1), 4);
  const scale = fit * view.scale;
  const at = part.nodes.map(({ x, y }) => [
    (x - (left + right) / 2) * scale + width / 2 + view.x,
    (y - (top + bottom) / 2) * scale + height / 2 + view.y,
  ]);
  const move = (shape, values) => {
    for (const [name, value] of Object.entries(values)) shape?.setAttribute(name, value.toFixed(1));
  };
  part.links.forEach(({ source, target }, number) => {
    const [[x1, y1], [x2, y2]] = [at[source.number], at[target.number]];
    move(part.lines[number], { x1, y1, x2, y2 });
    move(part.weightTexts[number], { x: (x1 + x2) / 2, y: (y1 + y2) / 2 + 4 });
  });
  at.forEach(([x, y], number) => {
    move(part.circles[number], { cx: x, cy: y });
    move(part.names[number], { x, y: y + 20 });
  });
  showNames(part, at);
  svg.classList.toggle("zoomed", view.scale > 1);
}

// Names that cover no vertex and no other name; first those of vertices that are pointed out.
function showNames(part, at) {
  const names = [];
  const order = [...at.keys()].sort((first, second) => part.kinds[second] - part.kinds[first]);
  for (const number of order) {
    const [x, y] = at[number];
    const half = part.widths[number] / 2;
    const isFree = names.every(([left, right, other]) =>
      x + half < left || x - half > right || Math.abs(y - other) > LINE);
    const fits = isFree && (part.kinds[number] >= 0
      || at.every(([cx, cy]) => Math.abs(cx - x) > half || Math.abs(cy - y - 16) > 10));
    if (fits) names.push([x - half, x + half, y]);
    part.names[number].style.display = fits ? "" : "none";
  }
}

// Shows what is selected, its neighbors, and the path.
function mark() {
  const { part, selected, path } = view;
  if (!part?.circles) return;
  const near = new Set();
  for (const { source, target } of part.links) {
    if (source === selected) near.add(target);
    if (target === selected) near.add(source);
  }
  const onPath = new Set(path?.flatMap(({ from, to }) => [from, to]));
  const pathLinks = new Set(path?.map(({ link }) => link));
  part.links.forEach((link, number) => {
    const kinds = [link.splits && "bridge", pathLinks.has(link) && "path"];
    part.lines[number].setAttribute("class", kinds.filter(Boolean).join(" "));
    part.lines[number].style.strokeWidth = pathLinks.has(link) ? 5 : "";
  });
  part.kinds = part.vertices.map((vertex, number) => {
    const kinds = [near.has(vertex) && "near", onPath.has(vertex) && "path",
      vertex === selected && "selected"];
    part.circles[number].setAttribute("class", kinds.filter(Boolean).join(" "));
    return kinds.findLastIndex(Boolean);
  });
  place();
}

function drawLegend(part) {
  const sample = (kind, text) => {
    const icon = document.createElementNS(SVG, "svg");
    draw("line", { class: kind, x1: 0, x2: "100%", y1: "50%", y2: "50%", "stroke-width": 2 }, icon);
    return element("li", {}, icon, text);
  };
  const items = [];
  if (part.links.some((link) => link.splits)) {
    items.push(sample("bridge", "bridge: without it the component splits"));
  }
  if (part.isWeighed) items.push(element("li", {}, "Thicker links have higher weights."));
  byId("legend").replaceChildren(...items);
}

function zoom(factor, x = 0, y = 0) {
  const scale = Math.min(Math.max(view.scale * factor, 0.5), 40);
  const change = scale / view.scale;
  view.x = x - (x - view.x) * change;
  view.y = y - (y - view.y) * change;
  view.scale = scale;
  place();
}

function fit() {
  Object.assign(view, { scale: 1, x: 0, y: 0 });
  place();
}

function pan(x, y) {
  view.x += x;
  view.y += y;
  place();
}

const KEYS = {
  "+": () => zoom(1.4), "=": () => zoom(1.4), "-": () => zoom(1 / 1.4), 0: fit,
  ArrowLeft: () => pan(40, 0), ArrowRight: () => pan(-40, 0),
  ArrowUp: () => pan(0, 40), ArrowDown: () => pan(0, -40),
};

function listenToDrawing() {
  byId("closer").onclick = () => zoom(1.4);
  byId("farther").onclick = () => zoom(1 / 1.4);
  byId("fit").onclick = fit;
  svg.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !KEYS[event.key]) return;
    event.preventDefault();
    KEYS[event.key]();
  });
  svg.addEventListener("wheel", (event) => {
    if (document.activeElement !== svg && !event.ctrlKey) return; // the page scrolls
    event.preventDefault();
    const box = svg.getBoundingClientRect();
    zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2,
      event.clientX - box.left - box.width / 2, event.clientY - box.top - box.height / 2);
  }, { passive: false });
  svg.addEventListener("pointermove", (event) => {
    if (event.buttons === 1) pan(event.movementX, event.movementY);
  });
  new ResizeObserver(place).observe(svg);
}
