// Vega-Lite specifications: one function per kind of figure. A chart is an object with the figure,
// its rows (plain objects), the order of rows and of series, the colors, the domain of the values
// and the width in pixels. A panel with much to show is several charts on one scale: see layout.js.
function theme(width) {
  const text = color("text"), font = getComputedStyle(document.body).fontFamily;
  return {
    background: null,
    font,
    view: { stroke: null },
    axis: {
      labelColor: text, titleColor: color("muted"), gridColor: color("line"),
      labelFontSize: 11.5, titleFontSize: 11.5, titleFontWeight: "normal",
      domain: false, ticks: false, labelPadding: 6, labelLimit: width < 300 ? 118 : width < 520 ? 150 : 230,
    },
    header: { labelColor: text, labelFontSize: 11.5, labelFontWeight: 600, labelLimit: 170, title: null },
    line: { strokeWidth: 2 },
    text: { color: text, font, fontSize: 11 },
  };
}

function extent(rows, origin) {
  let low = origin === null ? Infinity : 1, high = origin === null ? 0 : 1;
  for (const row of rows) {
    low = Math.min(low, row.low || row.v);
    high = Math.max(high, row.high || row.v);
  }
  return [low * 0.94, high * 1.06];
}

// The domain with room for the numbers beside the bars, whatever the width of the chart.
function withRoom([low, high], figure, width) {
  const pixels = { ratio: 40, value: 44, range: 125 }[figure.kind];
  if (!pixels || figure.origin === 0) return [low, high];
  const share = Math.min(0.5, pixels / Math.max(120, width - 150));
  const room = (high / low) ** (share / (1 - share));
  const left = low < 0.9 && figure.kind !== "range" && (figure.kind === "ratio" || figure.origin === 1);
  return [left ? low / room : low, high * room];
}

// 1, 2, 5, 10, ... or only powers of ten where these would be too close together.
function ticks(low, high, width) {
  const decades = Math.log10(high / low);
  let steps = decades > 3.2 || (width < 520 && decades > 2) ? [1] : [1, 2, 5];
  if (decades < 0.75) steps = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9];
  const values = [];
  for (let power = -4; power < 13; power++)
    for (const step of steps) {
      const value = step * 10 ** power;
      if (value >= low * 0.999 && value <= high * 1.001) values.push(Number(value.toPrecision(3)));
    }
  const most = Math.max(2, Math.min(10, Math.floor(width / 55)));
  if (values.length <= most) return values;
  const tens = values.filter((value) => Number.isInteger(Math.round(1e6 * Math.log10(value)) / 1e6));
  const kept = tens.length > 1 ? tens : values;
  const every = Math.ceil(kept.length / most);
  return kept.filter((_, index) => index % every === 0);
}

// SI prefixes only from 1000 up: below 1 they would turn 0.5 into 500m.
const NUMBER = "datum.value >= 1000 ? format(datum.value, '~s') : format(datum.value, '~g')";

function valueAxis({ figure, domain, width }) {
  const ratioTitle = "time over " + baselineName(figure) + (width < 340 ? "" : " (above 1: slower)");
  const title = isRatio(figure) ? ratioTitle : figure.value;
  const common = { field: "v", type: "quantitative", title };
  if (figure.origin === 0)
    return { ...common, axis: { tickCount: 5, grid: true, labelExpr: NUMBER }, scale: { nice: true } };
  const values = ticks(domain[0], domain[1], width);
  return {
    ...common,
    axis: { values, grid: true, labelOverlap: true, labelExpr: NUMBER },
    scale: { type: "log", domain, nice: false },
  };
}

function seriesColor({ series, colors }) {
  const range = series.map((name) => colors.get(name));
  return { field: "s", scale: { domain: series, range }, legend: null };
}

// A lane for every bar that there is, none for those that are missing. Rows are separated by a gap,
// and a row's name stands at its middle lane; where lanes are named, each has its series' name.
function lanesOf({ rows, order, series, named }) {
  const lanes = [], labels = [];
  let before = 0;
  for (const name of order) {
    const inRow = series.filter((s) => rows.some((row) => row.row === name && row.s === s));
    const keys = inRow.map((s) => laneKey(name, s));
    if (lanes.length && !named && Math.max(before, keys.length) > 1) lanes.push("gap " + lanes.length);
    before = keys.length;
    lanes.push(...keys);
    labels.push(...(named ? keys : [keys[(keys.length - 1) >> 1]]));
  }
  return { lanes, labels };
}

function laneKey(row, series) {
  return row + "\u0001" + series;
}

const STEP = 13;

function bars(chart) {
  const { figure, rows, named } = chart;
  const { lanes, labels } = lanesOf(chart);
  const step = chart.series.length > 1 || named ? STEP : 18;
  const part = "split(datum.value, '\u0001')[" + (named ? 1 : 0) + "]";
  const bold = { condition: { test: part + " === '" + MEAN + "'", value: 700 }, value: 400 };
  const encoding = {
    y: {
      field: "lane", type: "ordinal", title: null,
      scale: { domain: lanes, paddingInner: 0, paddingOuter: 0 },
      axis: { values: labels, labelExpr: part, labelFontWeight: bold, labelOverlap: false, grid: false },
    },
    color: seriesColor(chart),
    tooltip: { field: "tip" },
  };
  const layer = [barLayer(chart, step, true), barLayer(chart, step, false)];
  if (figure.kind === "ratio" || figure.origin === 1) layer.push(lineAtOne());
  layer.push(spreads(chart), numbers(chart));
  const values = rows.map((row) => ({ ...row, lane: laneKey(row.row, row.s) }));
  return { data: { values }, encoding, layer, height: step * lanes.length };
}

// The axis of values is above the bars, where a reader begins.
function topAxis(chart) {
  const x = valueAxis(chart);
  x.axis.orient = "top";
  return x;
}

// Measured values are solid, narrow bars in front of the hollow, wide bars of published ones.
// Points replace bars where the axis has no origin.
function barLayer(chart, step, published) {
  const { figure } = chart;
  const points = figure.kind === "value" && figure.origin === null;
  const encoding = { x: topAxis(chart) };
  let mark = { type: "point", size: published ? 90 : 55, filled: !published, strokeWidth: 1.6, opacity: 1 };
  if (!points) {
    encoding.x2 = { datum: figure.origin === 0 ? 0 : 1 };
    mark = { type: "bar", size: published ? step - 1 : Math.round(0.62 * step) };
    if (published) {
      Object.assign(mark, { fillOpacity: 0.16, strokeWidth: 1, strokeOpacity: 0.85 });
      encoding.stroke = seriesColor(chart);
    }
  }
  return { transform: [{ filter: "datum.published === " + published }], mark, encoding };
}

function lineAtOne() {
  return {
    data: { values: [{}] },
    mark: { type: "rule", strokeWidth: 1.4, color: color("text") },
    encoding: { x: { datum: 1 }, y: null, color: null, tooltip: null },
  };
}

// The middle half of the samples, as a line on the bar.
function spreads(chart) {
  return {
    transform: [{ filter: "isValid(datum.low) && !datum.published" }],
    mark: { type: "rule", strokeWidth: 1.4 },
    encoding: { x: { ...topAxis(chart), field: "low" }, x2: { field: "high" }, color: { value: color("text") } },
  };
}

// Its number beside every measured bar.
function numbers(chart) {
  const left = chart.figure.kind === "ratio" || chart.figure.origin === 1 ? "datum.v < 1" : "false";
  const end = "(" + left + " ? min(datum.v, isValid(datum.low) ? datum.low : datum.v)" +
    " : max(datum.v, isValid(datum.high) ? datum.high : datum.v))";
  return {
    transform: [{ filter: "!datum.published" }, { calculate: end, as: "end" }],
    mark: {
      type: "text", baseline: "middle", fontSize: 10.5,
      align: { expr: left + " ? 'right' : 'left'" }, dx: { expr: left + " ? -5 : 5" },
    },
    encoding: { x: { ...topAxis(chart), field: "end" }, text: { field: "number" }, color: { value: color("text") } },
  };
}

// The median of each row with its range over the graphs; the baseline has its point, at 1.
function ranges(chart) {
  const { rows, order } = chart;
  const x = topAxis(chart);
  const names = rows.map((row) => ({ ...row, number: row.number + rangeText(row) }));
  const y = { field: "row", type: "nominal", sort: order, title: null, axis: { labelOverlap: false } };
  const text = { type: "text", align: "left", dx: 7, baseline: "middle", fontSize: 10.5 };
  return {
    data: { values: names },
    encoding: { y, color: seriesColor(chart), tooltip: { field: "tip" } },
    layer: [
      lineAtOne(),
      { mark: { type: "rule", strokeWidth: 3, opacity: 0.55 },
        encoding: { x: { ...x, field: "low" }, x2: { field: "high" } } },
      { mark: { type: "point", filled: true, size: 70, opacity: 1 }, encoding: { x } },
      { mark: text, encoding: { x: { ...x, field: "high" }, text: { field: "number" }, color: { value: color("text") } } },
    ],
    height: 17 * order.length,
  };
}

function rangeText(row) {
  return row.low === row.high ? "" : " (" + brief(row.low) + " to " + brief(row.high) + ")";
}

function stack(chart) {
  const { figure, rows, order } = chart;
  const axis = { format: "%", tickCount: 5, orient: "top" };
  return {
    data: { values: rows },
    mark: { type: "bar", height: { band: 0.8 } },
    encoding: {
      y: { field: "row", sort: order, title: null, type: "nominal" },
      x: { field: "v", type: "quantitative", stack: "normalize", title: figure.value, axis },
      color: seriesColor(chart),
      opacity: { condition: { test: "datum.published", value: 0.5 }, value: 1 },
      order: { field: "position", type: "quantitative" },
      tooltip: { field: "tip" },
    },
    height: 21 * order.length,
  };
}

// One small chart: a line for every series.
function lines(chart) {
  const { figure, rows, domain, width } = chart;
  const steps = [...new Set(rows.map((row) => row.x))].sort((a, b) => a - b);
  const low = steps[0], high = steps[steps.length - 1];
  const wide = high / low > 3;
  const y = valueAxis(chart);
  y.axis.tickCount = 4;
  if (figure.origin !== 0) y.axis.values = ticks(domain[0], domain[1], 220);
  const x = {
    field: "x", type: "quantitative", title: figure.x,
    scale: wide ? { type: "log", nice: false } : { type: "linear", zero: false, nice: false },
    axis: { labelExpr: NUMBER, grid: false, labelOverlap: true, labelFlush: true },
  };
  x.axis.values = steps.length < 6 && !wide ? steps : ticks(low, high, width * 0.7);
  return {
    data: { values: rows },
    height: 120,
    mark: { type: "line", point: { size: 34, filled: true } },
    encoding: { x, y, color: seriesColor(chart), tooltip: { field: "tip" } },
  };
}

function points(chart) {
  const { rows, width, domain } = chart;
  const xs = rows.map((row) => row.x);
  const xDomain = [Math.min(...xs) / 1.6, Math.max(...xs) * 1.6];
  const height = 280;
  const axis = { labelExpr: NUMBER, grid: false, values: ticks(xDomain[0], xDomain[1], width) };
  const x = { field: "x", type: "quantitative", title: chart.figure.x, scale: { type: "log", domain: xDomain, nice: false }, axis };
  const y = valueAxis(chart);
  const mark = { type: "point", filled: true, size: 80, opacity: 1 };
  const text = (side, align, dx, dy) => ({
    transform: [{ filter: "datum.side === '" + side + "'" }],
    mark: { type: "text", align, dx, dy, baseline: "middle" },
    encoding: { x, y, text: { field: "row" } },
  });
  const values = withLabelSides(rows, width - 90, height, xDomain, domain);
  return {
    data: { values },
    height,
    layer: [
      { mark, encoding: { x, y, color: seriesColor(chart), tooltip: { field: "tip" } } },
      text("above", "center", 0, -12), text("below", "center", 0, 13),
      text("right", "left", 8, 0), text("left", "right", -8, 0),
    ],
  };
}

const KINDS = { ratio: bars, value: bars, range: ranges, stack, line: lines, points };
