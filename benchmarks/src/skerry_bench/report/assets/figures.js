// A figure: the marks that the choices leave, its legend, its charts, and its table.
function sourcesOf(panel) {
  return [...new Set(panel.marks.filter((mark) => mark.src).map((mark) => mark.src))];
}

function rowsOf(figure, panel) {
  const sources = sourcesOf(panel);
  const source = sources[Math.min(state.source, sources.length - 1)];
  const rows = [];
  for (const mark of panel.marks) {
    const v = mark.g === MEAN ? publishedMean(figure, panel, mark) : valueOf(figure, mark);
    if (v === undefined || !isShown(mark) || isBaseline(figure, mark)) continue;
    if (mark.src && (state.source < 0 || mark.src !== source)) continue;
    const row = mark.row || (mark.g === MEAN ? MEAN : labelOf(mark.g));
    const { s, i, g, x, src } = mark;
    const tip = tooltipText(figure, mark, v);
    const [low, high] = rangeOf(figure, mark, v);
    rows.push({ row, s, i, g, v, x, src, low, high, number: brief(v), published: Boolean(src), tip });
  }
  return figure.kind === "ratio" ? rows.concat(meansOf(figure, rows)) : rows;
}

// The mean that a paper gives is relative to its baseline. Relative to auto, it is multiplied by the
// measured mean of that baseline.
function publishedMean(figure, panel, mark) {
  if (state.base !== "auto") return mark.base;
  const measured = panel.marks.filter(
    (other) => other.i === figure.baseline && !other.src && other.auto && isShown(other));
  return measured.length ? mark.base * geometricMean(measured.map((other) => other.auto)) : undefined;
}

// Means over the graphs that are shown. A mean that a paper gives is kept as it is.
function meansOf(figure, rows) {
  const groups = new Map();
  for (const row of rows) {
    if (!row.g) return [];
    const key = row.s + (row.published ? " published" : "");
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(row);
  }
  const means = [];
  for (const group of groups.values()) {
    if (group.some((row) => row.row === MEAN) || (figure.statedOnly && group[0].published)) continue;
    const v = geometricMean(group.map((row) => row.v));
    const tip = group[0].s + " - " + MEAN + "\n" + round(v) + " over " + group.length + " graphs shown" +
      (group[0].published ? "\npublished" : "");
    const mean = { ...group[0], row: MEAN, v, tip, number: brief(v), low: undefined, high: undefined };
    if (new Set(rows.map((row) => row.row)).size > 1) means.push(mean);
  }
  return means;
}

function orderOf(rows) {
  const names = [...new Set(rows.map((row) => row.row))].filter((name) => name !== MEAN);
  const graph = new Map(rows.map((row) => [row.row, row.g]));
  const size = (name) => (DATA.graphs[graph.get(name)] || { size: 0 }).size;
  const measured = (name) => rows.filter((row) => row.row === name && !row.published);
  const mean = (name) => geometricMean(measured(name).map((row) => row.v));
  if (state.order === "name") names.sort((a, b) => a.localeCompare(b));
  if (state.order === "size") names.sort((a, b) => size(a) - size(b));
  if (state.order === "value") names.sort((a, b) => mean(a) - mean(b));
  return rows.some((row) => row.row === MEAN) ? [...names, MEAN] : names;
}

function legend(element, figure, series, colors, panels) {
  const sources = new Set(
    panels.flatMap((panel) => panel.rows.filter((row) => row.published).map((row) => row.src)));
  const items = series.map((name) => ({ name, style: "--c:" + colors.get(name) }));
  element.replaceChildren(...items.map(({ name, style }) => entry(name, "", style)));
  if (isRatio(figure))
    element.append(entry(baselineName(figure) + " = 1", "rule-mark"));
  if (sources.size && figure.kind !== "stack")
    element.append(entry("published: " + [...sources].join("; "), "hollow"));
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

// Figures that compare platforms have panels without one.
function isPlatform(name) {
  return DATA.platforms.some((platform) => platform.name === name);
}

const views = new Map();

async function draw(figure) {
  const article = document.getElementById(figure.id);
  const container = article.querySelector(".charts");
  const panels = figure.panels
    .filter((panel) => !isPlatform(panel.platform) || state.platforms.has(panel.platform))
    .map((panel) => ({ ...panel, rows: rowsOf(figure, panel) }))
    .filter((panel) => panel.rows.some((row) => !row.published));
  const all = panels.flatMap((panel) => panel.rows);
  const implementationOf = new Map(all.map((row) => [row.s, row.i]));
  const measured = all.filter((row) => !row.published).map((row) => row.s);
  const series = [...new Set([...measured, ...all.map((row) => row.s)])];
  // Where every lane has its series' name, the names replace the legend.
  const named = (figure.kind === "ratio" || figure.kind === "value") && series.length > MOST_SERIES;
  const labeled = named || panels.every((panel) => panel.rows.every((row) => row.row === row.s));
  const colors = labeled ? kindColors(series, implementationOf) : colorsOf(series, implementationOf);
  legend(article.querySelector(".legend"), figure, labeled ? [] : series, colors, panels);
  for (const view of views.get(figure.id) || []) view.finalize();
  const charts = [];
  container.replaceChildren();
  if (!panels.length) {
    const none = document.createElement("p");
    none.className = "none";
    none.textContent = all.length || figure.panels.length
      ? "Nothing to show with these filters." : "";
    container.append(none);
  }
  const origin = isRatio(figure) ? 1 : figure.origin;
  const sharedScale = panels.some((panel) => panel.title !== panel.platform);
  for (const panel of panels) {
    const domain = extent(sharedScale ? all : panel.rows, origin);
    charts.push(...(await drawPanel(figure, panel, container, series, colors, domain)));
  }
  views.set(figure.id, charts);
  article.dataset.marks = all.length;
  const numbers = article.querySelector(".numbers");
  if (numbers && numbers.open) fillNumbers(figure, panels, numbers);
  numbers.ontoggle = () => numbers.open && fillNumbers(figure, panels, numbers);
}

async function drawPanel(figure, panel, container, series, colors, domain) {
  const title = document.createElement("p");
  title.className = "platform";
  title.textContent = panel.title;
  const grid = document.createElement("div");
  grid.className = "multiples";
  container.append(title, grid);
  panel.rows.forEach((row) => { row.position = series.indexOf(row.s); });
  const rows = figure.kind === "line" ? panel.rows : panel.rows.filter((row) => row.v > 0);
  const charts = chartsOf(figure, rows, orderOf(rows), series);
  grid.style.setProperty("--cell", cellWidth(figure, charts));
  const views = [];
  for (const chart of charts) {
    const cell = document.createElement("div");
    if (chart.title) {
      const heading = document.createElement("h4");
      heading.textContent = chart.title;
      cell.append(heading);
    }
    grid.append(cell);
    views.push(await drawChart(figure, panel, { ...chart, colors, domain }, cell));
  }
  return views;
}

async function drawChart(figure, panel, chart, cell) {
  const element = document.createElement("div");
  element.className = "chart";
  element.setAttribute("role", "img");
  element.setAttribute("aria-label", [figure.title, panel.title, chart.title].filter(Boolean).join(", ") +
    ": " + chart.rows.length + " marks; the same numbers are in the table below.");
  cell.append(element);
  const width = element.clientWidth || 700;
  const domain = withRoom(chart.domain, figure, width);
  const spec = KINDS[figure.kind]({ ...chart, figure, width, domain });
  spec.width = width;
  spec.autosize = { type: "fit-x", contains: "padding" };
  spec.config = theme(width);
  return vegaEmbed(element, spec, {
    mode: "vega-lite", actions: false, renderer: "svg", tooltip: showTooltip,
    logLevel: 1, // errors only
  });
}

function showTooltip(handler, event, item, value) {
  const element = document.getElementById("tooltip");
  if (!value) { element.hidden = true; return; }
  element.textContent = value;
  element.hidden = false;
  const box = element.getBoundingClientRect();
  const left = Math.min(event.clientX + 14, innerWidth - box.width - 8);
  const below = event.clientY + 16 + box.height < innerHeight;
  element.style.left = Math.max(8, left) + "px";
  element.style.top = (below ? event.clientY + 16 : Math.max(8, event.clientY - box.height - 12)) + "px";
}
