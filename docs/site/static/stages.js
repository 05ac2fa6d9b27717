/* Moves between the stages of a trace. Each figure has its own trace in a JSON script element. */
"use strict";

const RADIUS = 14;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/* The root of each vertex, and the number of vertices of each root. */
function trees(parents) {
  const roots = parents.map((_, v) => {
    while (parents[v] !== v) v = parents[v];
    return v;
  });
  const sizes = new Map();
  for (const root of roots) sizes.set(root, (sizes.get(root) ?? 0) + 1);
  return { roots, sizes, largest: Math.max(...sizes.values()) };
}

/* An arrow from a vertex to its parent, beside the edge between them. */
function arrow([x1, y1], [x2, y2]) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const bend = Math.min(12 + length / 12, 30);
  const [mx, my] = [(x1 + x2) / 2 - dy * bend, (y1 + y2) / 2 + dx * bend];
  const toward = (x, y) => {
    const far = Math.hypot(mx - x, my - y);
    return [x + ((mx - x) / far) * RADIUS, y + ((my - y) / far) * RADIUS];
  };
  return `M${toward(x1, y1)}Q${mx},${my} ${toward(x2, y2)}`;
}

function caption(stage, before, trace) {
  if (!stage) return "The graph. Every vertex is its own tree.";
  const { sizes, largest } = trees(stage.parents);
  const changed = stage.parents.filter((parent, v) => parent !== before[v]).length;
  const n = stage.parents.length;
  let text = `${stage.name}: ${changed || "no"} parent${changed === 1 ? "" : "s"} changed.`;
  if (stage.name === "sample") {
    const share = Math.round(trace.measured["largest tree"] * 100);
    text += ` ${share}% of the sampled vertices are in the largest tree.`;
  }
  return `${text} ${sizes.size} trees; the largest has ${largest} of ${n} vertices.`;
}

function start(figure) {
  const trace = JSON.parse(figure.querySelector("script").textContent);
  const own = trace.positions.map((_, v) => v);
  const states = [own, ...trace.stages.map((stage) => stage.parents)];
  const all = (selector) => [...figure.querySelectorAll(selector)];
  const [links, vertices, cells] = [".links path", ".vertices g", ".parents li"].map(all);
  const part = (name) => figure.querySelector(`.${name}`);
  const marker = `url(#${figure.querySelector("marker").id})`;
  // A color for every root of a tree of two vertices or more.
  const large = ({ sizes }) => [...sizes].filter(([, size]) => size > 1).map(([root]) => root);
  const colored = [...new Set(states.flatMap((parents) => large(trees(parents))))];
  let step = 0;
  let timer = 0;

  function show() {
    const parents = states[step];
    const before = states[Math.max(step - 1, 0)];
    const { roots, sizes } = trees(parents);
    const name = step ? trace.stages[step - 1].name : "";
    const was = trees(before);
    const giant = [...was.sizes].find(([, size]) => size === was.largest)[0];
    parents.forEach((parent, v) => {
      const alone = sizes.get(roots[v]) === 1;
      const color = alone ? "alone" : `tree-${colored.indexOf(roots[v]) % 6}`;
      const changed = parent !== before[v] ? "changed" : "";
      const skipped = name === "skip the largest" && before[v] === giant ? "skipped" : "";
      const root = parent === v && !alone ? "root" : "";
      vertices[v].setAttribute("class", `${color} ${root} ${skipped}`);
      links[v].setAttribute("class", `${color} ${changed} ${skipped}`);
      cells[v].className = `${color} ${changed}`;
      cells[v].lastElementChild.textContent = parent;
      const drawn = parent === v ? "" : arrow(trace.positions[v], trace.positions[parent]);
      links[v].setAttribute("d", drawn);
      links[v].setAttribute("marker-end", marker);
    });
    part("status").textContent = caption(trace.stages[step - 1], before, trace);
    part("step").textContent = `step ${step} of ${trace.stages.length}`;
    part("back").disabled = step === 0;
    part("next").disabled = step === trace.stages.length;
    figure.dataset.step = step;
  }

  function go(to) {
    step = Math.min(Math.max(to, 0), trace.stages.length);
    show();
    if (step === trace.stages.length) stop();
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    part("play").textContent = "Play";
  }

  part("back").onclick = () => (stop(), go(step - 1));
  part("next").onclick = () => (stop(), go(step + 1));
  part("play").hidden = calm.matches; // steps are then by hand only
  part("play").onclick = () => {
    if (timer) return stop();
    part("play").textContent = "Pause";
    go(step === trace.stages.length ? 0 : step + 1);
    if (step < trace.stages.length) timer = setInterval(() => go(step + 1), 2000);
  };
  show();
}

document.querySelectorAll("figure.stages").forEach(start);
