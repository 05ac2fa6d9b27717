"use strict";
// What is chosen on the page, and what follows from it for a mark.
const DATA = JSON.parse(document.getElementById("data").textContent);
const MEAN = "geometric mean";
const state = {
  base: "auto",
  ghost: 0, // which of a figure's sources of published numbers; -1 for none
  order: "paper",
  places: new Set(DATA.places.map((place) => place.name)),
  graphs: new Set(Object.keys(DATA.graphs)),
  implementations: new Set(Object.keys(DATA.implementations)),
};

// A chart keeps the name of a color, not its value: it follows the theme, and the paper, by itself.
function color(name) {
  return "var(--" + name + ")";
}

const SLOTS = [
  "blue", "ink", "orange", "green", "vermillion", "sky", "purple", "brown", "gray",
  "rose", "indigo", "olive",
];

// A color for each series: its own, or a free one where another of the figure has it already.
function colorsOf(names, implementationOf, alike) {
  const taken = new Set();
  const found = new Map();
  for (const name of names) {
    let slot = DATA.slots[name] || DATA.slots[implementationOf.get(name)] || "gray";
    if (taken.has(slot) && !alike) slot = SLOTS.slice(2).find((one) => !taken.has(one)) || slot;
    taken.add(slot);
    found.set(name, color(slot));
  }
  return found;
}

function labelOf(graph) {
  return graph in DATA.graphs ? DATA.graphs[graph].label : graph;
}

function wanted(mark) {
  if (mark.g && mark.g in DATA.graphs && !state.graphs.has(mark.g)) return false;
  return !(mark.c in DATA.implementations) || state.implementations.has(mark.c);
}

// The number that a mark shows, or undefined where the choice leaves none.
function valueOf(figure, mark) {
  if (figure.kind !== "ratio") return mark.v;
  return state.base === "auto" ? mark.auto : mark.base;
}

function isBaseline(figure, mark) {
  if (figure.kind !== "ratio" || mark.row) return false;
  return mark.c === (state.base === "auto" ? "auto" : figure.baseline);
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

// What is said of a mark when it is pointed at.
function told(figure, mark, value) {
  const lines = [mark.s + " - " + (mark.g ? labelOf(mark.g) : mark.row)];
  const what =
    figure.kind === "ratio"
      ? "times " + (state.base === "auto" ? "auto's" : figure.base + "'s") + " time"
      : figure.kind === "stack"
        ? "of the run time"
        : figure.value;
  lines.push((figure.kind === "stack" ? Math.round(100 * value) + "%" : round(value)) + " " + what);
  if (mark.x !== undefined) lines.push(figure.x + ": " + round(mark.x));
  if (mark.src) lines.push("published: " + mark.src);
  if (mark.note) lines.push(mark.note);
  const one = mark.m === undefined ? null : DATA.measurements[mark.m];
  if (one && one.ms) {
    const by = [one.implementation, one.ran ? "ran " + one.ran : "", one.threads ? one.threads + " threads" : ""];
    lines.push(one.place + ", " + by.filter(Boolean).join(", "));
    lines.push("median " + round(one.ms) + " ms of " + one.samples.length + ":");
    lines.push(one.samples.slice(0, 15).map(round).join(", ") + (one.samples.length > 15 ? ", ..." : ""));
    if (one.date) lines.push(one.date + (one.unverified ? ", not verified" : ", verified"));
  }
  return lines.join("\n");
}
