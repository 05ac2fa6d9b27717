// A figure: its marks as the choices leave them, its legend, its charts, and its table.
function sourcesOf(panel) {
  return [...new Set(panel.marks.filter((mark) => mark.src).map((mark) => mark.src))];
}

function rowsOf(figure, panel) {
  const sources = sourcesOf(panel);
  const source = sources[Math.min(state.ghost, sources.length - 1)];
  const rows = [];
  for (const mark of panel.marks) {
    const v = mark.g === MEAN ? toldMean(figure, panel, mark) : valueOf(figure, mark);
    if (v === undefined || !wanted(mark) || isBaseline(figure, mark)) continue;
    if (mark.src && (state.ghost < 0 || mark.src !== source)) continue;
    const row = mark.row || (mark.g === MEAN ? MEAN : labelOf(mark.g));
    const { s, c, g, x, src } = mark;
    rows.push({ row, s, c, g, v, x, src, ghost: Boolean(mark.src), tip: told(figure, mark, v) });
  }
  return figure.kind === "ratio" ? rows.concat(meansOf(figure, rows)) : rows;
}

// A mean that a paper tells is over its baseline: beside auto it stands over ours of that baseline.
function toldMean(figure, panel, mark) {
  if (state.base !== "auto") return mark.base;
  const ours = panel.marks.filter((one) => one.c === figure.baseline && !one.src && one.auto && wanted(one));
  return ours.length ? mark.base * geometricMean(ours.map((one) => one.auto)) : undefined;
}

// The mean over the graphs that are shown; a mean told by a paper stands for itself.
function meansOf(figure, rows) {
  const groups = new Map();
  for (const row of rows) {
    if (!row.g) return [];
    const key = row.s + (row.ghost ? " ghost" : "");
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(row);
  }
  const found = [];
  for (const those of groups.values()) {
    if (those.some((row) => row.row === MEAN) || (figure.told && those[0].ghost)) continue;
    const v = geometricMean(those.map((row) => row.v));
    const tip = those[0].s + " - " + MEAN + "\n" + round(v) + " over " + those.length + " graphs shown" +
      (those[0].ghost ? "\npublished" : "");
    if (new Set(rows.map((row) => row.row)).size > 1) found.push({ ...those[0], row: MEAN, v, tip });
  }
  return found;
}

function orderOf(rows) {
  const names = [...new Set(rows.map((row) => row.row))].filter((name) => name !== MEAN);
  const graph = new Map(rows.map((row) => [row.row, row.g]));
  const size = (name) => (DATA.graphs[graph.get(name)] || { size: 0 }).size;
  const ours = (name) => rows.filter((row) => row.row === name && !row.ghost);
  const mean = (name) => geometricMean(ours(name).map((row) => row.v));
  if (state.order === "name") names.sort((a, b) => a.localeCompare(b));
  if (state.order === "size") names.sort((a, b) => size(a) - size(b));
  if (state.order === "value") names.sort((a, b) => mean(a) - mean(b));
  return rows.some((row) => row.row === MEAN) ? [...names, MEAN] : names;
}

function legend(element, figure, series, colors, panels) {
  const ghosts = new Set(panels.flatMap((panel) => panel.rows.filter((row) => row.ghost).map((row) => row.src)));
  const items = series.map((name) => ({ name, style: "--c:" + colors.get(name) }));
  element.replaceChildren(...items.map(({ name, style }) => entry(name, "", style)));
  if (figure.kind === "ratio")
    element.append(entry((state.base === "auto" ? "auto" : figure.base) + " = 1", "rule-mark"));
  if (ghosts.size && figure.kind !== "stack")
    element.append(entry("published: " + [...ghosts].join("; "), "hollow"));
}

function entry(name, kind, style) {
  const item = document.createElement("li");
  const mark = document.createElement("i");
  if (kind) mark.className = kind;
  if (style) mark.style = style;
  mark.setAttribute("aria-hidden", "true");
  item.append(mark, name);
  return item;
}

const views = new Map();

async function draw(figure) {
  const article = document.getElementById(figure.id);
  const place = article.querySelector(".charts");
  const panels = figure.panels
    .filter((panel) => !DATA.places.some((one) => one.name === panel.place) || state.places.has(panel.place))
    .map((panel) => ({ ...panel, rows: rowsOf(figure, panel) }))
    .filter((panel) => panel.rows.some((row) => !row.ghost));
  const all = panels.flatMap((panel) => panel.rows);
  const implementationOf = new Map(all.map((row) => [row.s, row.c]));
  const ours = new Set(all.filter((row) => !row.ghost).map((row) => row.s));
  const series = [...new Set([...ours, ...all.map((row) => row.s)])];
  const labeled = panels.every((panel) => panel.rows.every((row) => row.row === row.s));
  const colors = colorsOf(series, implementationOf, labeled);
  // Where every row is a series, the rows' labels tell what a legend would.
  legend(article.querySelector(".legend"), figure, labeled ? [] : series, colors, panels);
  for (const view of views.get(figure.id) || []) view.finalize();
  const made = [];
  place.replaceChildren();
  if (!panels.length) {
    const none = document.createElement("p");
    none.className = "none";
    none.textContent = all.length || figure.panels.length
      ? "Nothing to show with this choice." : "";
    place.append(none);
  }
  const origin = figure.kind === "ratio" ? 1 : figure.origin;
  const together = panels.some((panel) => panel.title !== panel.place);
  for (const panel of panels) {
    const domain = extent(together ? all : panel.rows, origin);
    made.push(await drawPanel(figure, panel, place, series, colors, domain));
  }
  views.set(figure.id, made);
  article.dataset.marks = all.length;
  const numbers = article.querySelector(".numbers");
  if (numbers && numbers.open) fillNumbers(figure, panels, numbers);
  numbers.ontoggle = () => numbers.open && fillNumbers(figure, panels, numbers);
}

async function drawPanel(figure, panel, place, series, colors, domain) {
  const title = document.createElement("p");
  title.className = "place";
  title.textContent = panel.title;
  const chart = document.createElement("div");
  chart.className = "chart";
  chart.setAttribute("role", "img");
  chart.setAttribute("aria-label", figure.title + ", " + panel.title + ": " + panel.rows.length +
    " marks; the same numbers are in the table below.");
  place.append(title, chart);
  const width = chart.clientWidth || 700;
  panel.rows.forEach((row) => { row.turn = series.indexOf(row.s); });
  const rows = figure.kind === "line" ? panel.rows : panel.rows.filter((row) => row.v > 0);
  const spec = KINDS[figure.kind]({
    figure, rows, colors, domain, width,
    order: orderOf(rows),
    series: series.filter((one) => rows.some((row) => row.s === one)),
  });
  if (!spec.facet) { spec.width = width; spec.autosize = { type: "fit-x", contains: "padding" }; }
  spec.config = theme(width);
  return vegaEmbed(chart, spec, {
    mode: "vega-lite", actions: false, renderer: "svg", tooltip: tip,
    logLevel: 1, // errors only
  });
}

function tip(handler, event, item, value) {
  const element = document.getElementById("tip");
  if (!value) { element.hidden = true; return; }
  element.textContent = value;
  element.hidden = false;
  const box = element.getBoundingClientRect();
  const left = Math.min(event.clientX + 14, innerWidth - box.width - 8);
  const below = event.clientY + 16 + box.height < innerHeight;
  element.style.left = Math.max(8, left) + "px";
  element.style.top = (below ? event.clientY + 16 : Math.max(8, event.clientY - box.height - 12)) + "px";
}
