"use strict";
// The choices made on the page, and what they mean for a mark.
// A mark has short keys: s series, i implementation, g graph, row, x, v value, auto and base (its time
// over that of auto and of the paper's baseline), m index of its measurement, src source, note; of a
// range its ends over auto, low and high, and over the baseline, blow and bhigh.
const DATA = JSON.parse(document.getElementById("data").textContent);
const MEAN = "geometric mean";
const state = {
  base: "auto", // or "base": what ratios are relative to
  source: 0, // index of the source of published values that figures show; -1 for none
  order: "paper",
  platforms: new Set(DATA.platforms.map((platform) => platform.name)),
  graphs: new Set(Object.keys(DATA.graphs)),
  implementations: new Set(Object.keys(DATA.implementations)),
};

// Charts refer to colors by CSS variable, so that they follow the theme and the print style.
function color(name) {
  return "var(--" + name + ")";
}

// Eight distinct colors; a chart has no more series.
const PALETTE = ["blue", "ink", "orange", "green", "vermillion", "purple", "lime", "gray"];

// A color for each series: its own, or an unused one if another series of the figure has it.
function colorsOf(names, implementationOf) {
  const used = new Set();
  const colors = new Map();
  for (const name of names) {
    let choice = DATA.colors[name] || DATA.colors[implementationOf.get(name)] || "gray";
    if (used.has(choice)) choice = [...PALETTE].reverse().find((candidate) => !used.has(candidate)) || choice;
    used.add(choice);
    colors.set(name, color(choice));
  }
  return colors;
}

// Colors where names stand beside the bars: they tell only auto, peers and others apart.
function kindColors(names, implementationOf) {
  const kind = (name) => {
    const implementation = implementationOf.get(name);
    if (implementation === "auto") return "blue";
    return (DATA.implementations[implementation] || {}).peer ? "orange" : "gray";
  };
  return new Map(names.map((name) => [name, color(DATA.series[name] || kind(name))]));
}

// Between which times the middle half of the samples lies, in ms; of fewer than five, all.
function sampleRange(result) {
  const samples = [...result.samples].sort((a, b) => a - b);
  const at = (share) => {
    const position = share * (samples.length - 1), below = Math.floor(position);
    const next = samples[Math.min(below + 1, samples.length - 1)];
    return samples[below] + (position - below) * (next - samples[below]);
  };
  return samples.length < 5 ? [at(0), at(1)] : [at(0.25), at(0.75)];
}

// Between which values a bar lies by its samples, or a median by its graphs.
function rangeOf(figure, mark, value) {
  if (mark.low) return state.base === "auto" ? [mark.low, mark.high] : [mark.blow, mark.bhigh];
  const result = mark.m === undefined ? null : DATA.measurements[mark.m];
  const timed = figure.kind === "ratio" || figure.value === "ms";
  if (!timed || !result || !result.ms || result.samples.length < 2) return [undefined, undefined];
  return sampleRange(result).map((ms) => (value * ms) / result.ms);
}

function labelOf(graph) {
  return graph in DATA.graphs ? DATA.graphs[graph].label : graph;
}

// Whether the filters show a mark.
function isShown(mark) {
  if (mark.g && mark.g in DATA.graphs && !state.graphs.has(mark.g)) return false;
  return !(mark.i in DATA.implementations) || state.implementations.has(mark.i);
}

// Whether a figure shows times over those of a baseline.
function isRatio(figure) {
  return figure.kind === "ratio" || figure.kind === "range";
}

// The number that a mark shows; undefined if it has none for the chosen baseline.
function valueOf(figure, mark) {
  if (!isRatio(figure)) return mark.v;
  return state.base === "auto" ? mark.auto : mark.base;
}

function isBaseline(figure, mark) {
  if (figure.kind !== "ratio" || mark.row) return false;
  return mark.i === (state.base === "auto" ? "auto" : figure.baseline);
}

function baselineName(figure) {
  return state.base === "auto" ? "auto" : figure.baselineName;
}

function geometricMean(values) {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

// Two significant digits, for numbers at bars.
function brief(value) {
  if (value >= 1000) return round(value);
  return String(Number(value.toPrecision(value >= 100 ? 3 : 2)));
}

function round(value) {
  if (value === undefined || value === null) return "";
  if (Math.abs(value) >= 1e9) return (value / 1e9).toPrecision(3) + " G";
  if (Math.abs(value) >= 1e6) return (value / 1e6).toPrecision(3) + " M";
  if (Math.abs(value) >= 1000) return Number(value.toPrecision(3)).toLocaleString("en");
  return String(Number(value.toPrecision(3)));
}

// The text of a mark's tooltip.
function tooltipText(figure, mark, value) {
  const lines = [mark.s + " - " + (mark.g ? labelOf(mark.g) : mark.row)];
  let unit = figure.value;
  if (isRatio(figure)) unit = "times the time of " + baselineName(figure);
  if (figure.kind === "stack") unit = "of the run time";
  lines.push((figure.kind === "stack" ? Math.round(100 * value) + "%" : round(value)) + " " + unit);
  if (mark.x !== undefined) lines.push(figure.x + ": " + round(mark.x));
  if (mark.src) lines.push("published: " + mark.src);
  if (mark.note) lines.push(mark.note);
  const result = mark.m === undefined ? null : DATA.measurements[mark.m];
  if (result && result.ms) {
    const details = [
      result.implementation,
      result.ran ? "ran " + result.ran : "",
      result.threads ? result.threads + " threads" : "",
    ];
    lines.push(result.platform + ", " + details.filter(Boolean).join(", "));
    lines.push("median " + round(result.ms) + " ms of " + result.samples.length + ":");
    const more = result.samples.length > 15 ? ", ..." : "";
    lines.push(result.samples.slice(0, 15).map(round).join(", ") + more);
    if (result.date) lines.push(result.date + (result.unverified ? ", not verified" : ", verified"));
  }
  return lines.join("\n");
}
