// Vega-Lite specifications: one function per kind of figure. A chart is an object with the figure,
// its rows (plain objects), the order of rows and of series, the colors, the domain of the values
// and the width in pixels.
function theme(width) {
  const text = color("text"), font = getComputedStyle(document.body).fontFamily;
  return {
    background: null,
    font,
    view: { stroke: null },
    axis: {
      labelColor: text, titleColor: color("muted"), gridColor: color("line"),
      labelFontSize: 11.5, titleFontSize: 11.5, titleFontWeight: "normal",
      domain: false, ticks: false, labelPadding: 6, labelLimit: width < 520 ? 118 : 230,
    },
    header: { labelColor: text, labelFontSize: 11.5, labelFontWeight: 600, labelLimit: 170, title: null },
    line: { strokeWidth: 2 },
    text: { color: text, font, fontSize: 11 },
  };
}

function extent(rows, origin) {
  let low = origin === null ? Infinity : 1, high = origin === null ? 0 : 1;
  for (const row of rows) {
    low = Math.min(low, row.v);
    high = Math.max(high, row.v);
  }
  return [low * 0.94, high * 1.06 * (high / low > 30 ? 1.15 : 1)];
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
  const every = Math.ceil(values.length / 10);
  return values.filter((_, index) => index % every === 0);
}

// SI prefixes only from 1000 up: below 1 they would turn 0.5 into 500m.
const NUMBER = "datum.value >= 1000 ? format(datum.value, '~s') : format(datum.value, '~g')";

function valueAxis({ figure, domain, width }) {
  const ratioTitle = "time over " + baselineName(figure) + (width < 520 ? "" : " (above 1: slower)");
  const title = figure.kind === "ratio" ? ratioTitle : figure.value;
  const common = { field: "v", type: "quantitative", title };
  if (figure.origin === 0)
    return { ...common, axis: { tickCount: 6, grid: true, labelExpr: NUMBER }, scale: { nice: true } };
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

function bars(chart) {
  const { figure, rows, order, series } = chart;
  const seriesIn = (name) => new Set(rows.filter((row) => row.row === name).map((row) => row.s)).size;
  const single = Math.max(...order.map(seriesIn)) < 2;
  const step = single ? 16 : order.length * series.length > 60 ? 9 : 11;
  const bold = { condition: { test: "datum.value === '" + MEAN + "'", value: 700 }, value: 400 };
  const encoding = {
    y: {
      field: "row", type: "nominal", sort: order, title: null,
      scale: { type: "band", paddingInner: single ? 0.25 : 0.22, paddingOuter: 0.1 },
      axis: { labelFontWeight: bold },
    },
    color: seriesColor(chart),
    tooltip: { field: "tip" },
  };
  if (!single)
    encoding.yOffset = { field: "s", sort: series, scale: { type: "band", paddingInner: 0 } };
  const layer = [barLayer(chart, step, true), barLayer(chart, step, false)];
  if (figure.kind === "ratio" || figure.origin === 1) layer.push(lineAtOne());
  layer.push(meanLabels(chart));
  const band = single ? 20 : (step * series.length) / 0.78;
  return { data: { values: rows }, encoding, layer, height: Math.round(band * order.length) };
}

// Measured values are solid, narrow bars in front of the hollow, wide bars of published ones.
// Points replace bars where the axis has no origin.
function barLayer(chart, step, published) {
  const { figure } = chart;
  const points = figure.kind === "value" && figure.origin === null;
  const encoding = { x: valueAxis(chart) };
  let mark = { type: "point", size: published ? 90 : 55, filled: !published, strokeWidth: 1.6, opacity: 1 };
  if (!points) {
    encoding.x2 = { datum: figure.origin === 0 ? 0 : 1 };
    mark = { type: "bar", size: published ? step - 1 : Math.round(0.58 * step) };
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
    encoding: { x: { datum: 1 }, y: null, yOffset: null, color: null, tooltip: null },
  };
}

function meanLabels(chart) {
  const left = "datum.v < 1";
  return {
    transform: [{ filter: "datum.row === '" + MEAN + "' && !datum.published" }],
    mark: {
      type: "text", baseline: "middle",
      align: { expr: left + " ? 'right' : 'left'" }, dx: { expr: left + " ? -4 : 4" },
    },
    encoding: { x: valueAxis(chart), text: { field: "v", format: ".2~f" }, color: { value: color("text") } },
  };
}

function stack(chart) {
  const { figure, rows, order } = chart;
  const axis = { format: "%", tickCount: 5 };
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

function lines(chart) {
  const { figure, rows, order, domain, width } = chart;
  const columns = Math.max(1, Math.min(4, order.length, Math.floor(width / 190)));
  const steps = [...new Set(rows.map((row) => row.x))].sort((a, b) => a - b);
  const wide = steps[steps.length - 1] / steps[0] > 3;
  const y = valueAxis(chart);
  y.title = null;
  y.axis.tickCount = 4;
  if (figure.origin !== 0) y.axis.values = ticks(domain[0], domain[1], 300);
  const x = {
    field: "x", type: "quantitative", title: figure.x,
    scale: wide ? { type: "log", nice: false } : { type: "linear", zero: false },
    axis: { labelExpr: NUMBER, grid: false, tickCount: 4, labelOverlap: true },
  };
  if (steps.length < 6) x.axis.values = steps;
  return {
    data: { values: rows },
    facet: { field: "row", sort: order, type: "nominal", title: null },
    columns,
    spacing: { row: 14, column: 16 },
    spec: {
      width: Math.floor((width - 46 * columns) / columns),
      height: 110,
      mark: { type: "line", point: { size: 34, filled: true } },
      encoding: { x, y, color: seriesColor(chart), tooltip: { field: "tip" } },
    },
  };
}

function points(chart) {
  const axis = { format: "~s", grid: false, tickCount: 5 };
  const x = { field: "x", type: "quantitative", title: chart.figure.x, scale: { type: "log" }, axis };
  const y = valueAxis(chart);
  const mark = { type: "point", filled: true, size: 80, opacity: 1 };
  return {
    data: { values: chart.rows },
    height: 260,
    layer: [
      { mark, encoding: { x, y, color: seriesColor(chart), tooltip: { field: "tip" } } },
      { mark: { type: "text", dy: -10 }, encoding: { x, y, text: { field: "row" } } },
    ],
  };
}

const KINDS = { ratio: bars, value: bars, stack, line: lines, points };
