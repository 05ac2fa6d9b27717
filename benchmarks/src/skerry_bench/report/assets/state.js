"use strict";
// The choices made on the page, and what they mean for a mark.
// A mark has short keys: s series, i implementation, g graph, row, x, v value, auto and base (its time
// over that of auto and of the paper's baseline), m index of its measurement, src source, note.
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

const PALETTE = [
  "blue", "ink", "orange", "green", "vermillion", "sky", "purple", "brown", "gray",
  "rose", "indigo", "olive",
];

// A color for each series: its own, or an unused one if another series of the figure has it.
function colorsOf(names, implementationOf, mayRepeat) {
  const used = new Set();
  const colors = new Map();
  for (const name of names) {
    let choice = DATA.colors[name] || DATA.colors[implementationOf.get(name)] || "gray";
    if (used.has(choice) && !mayRepeat)
      choice = PALETTE.slice(2).find((candidate) => !used.has(candidate)) || choice;
    used.add(choice);
    colors.set(name, color(choice));
  }
  return colors;
}

function labelOf(graph) {
  return graph in DATA.graphs ? DATA.graphs[graph].label : graph;
}

// Whether the filters show a mark.
function isShown(mark) {
  if (mark.g && mark.g in DATA.graphs && !state.graphs.has(mark.g)) return false;
  return !(mark.i in DATA.implementations) || state.implementations.has(mark.i);
}

// The number that a mark shows; undefined if it has none for the chosen baseline.
function valueOf(figure, mark) {
  if (figure.kind !== "ratio") return mark.v;
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

function round(value) {
  if (value === undefined || value === null) return "";
  if (Math.abs(value) >= 1e9) return (value / 1e9).toPrecision(3) + " G";
  if (Math.abs(value) >= 1e6) return (value / 1e6).toPrecision(3) + " M";
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString("en");
  return String(Number(value.toPrecision(3)));
}

// The text of a mark's tooltip.
function tooltipText(figure, mark, value) {
  const lines = [mark.s + " - " + (mark.g ? labelOf(mark.g) : mark.row)];
  let unit = figure.value;
  if (figure.kind === "ratio") unit = "times the time of " + baselineName(figure);
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
