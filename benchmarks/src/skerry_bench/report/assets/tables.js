// Tables: the numbers of a figure, all measurements, and sorting by a click on a heading.
function cell(kind, text, number) {
  const element = document.createElement(kind);
  element.textContent = text;
  if (number !== undefined) { element.className = "n"; element.dataset.v = number; }
  return element;
}

function table(caption, head, rows) {
  const element = document.createElement("table");
  element.className = "sortable";
  const title = document.createElement("caption");
  title.className = "unseen";
  title.textContent = caption;
  const top = document.createElement("tr");
  for (const name of head) {
    const th = cell("th", "");
    th.scope = "col";
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = name;
    th.append(button);
    top.append(th);
  }
  const thead = document.createElement("thead");
  thead.append(top);
  const tbody = document.createElement("tbody");
  for (const row of rows) {
    const line = document.createElement("tr");
    row.forEach((value, index) => {
      const number = typeof value === "number" ? value : undefined;
      const text = number === undefined ? value || "" : round(value);
      const element = cell(index ? "td" : "th", text, number);
      if (!index) element.scope = "row";
      line.append(element);
    });
    tbody.append(line);
  }
  element.append(title, thead, tbody);
  return element;
}

function fillNumbers(figure, panels, details) {
  const elements = [];
  const nameOf = (row) => row.s + (row.published ? " (published)" : "");
  for (const panel of panels) {
    const names = [...new Set(panel.rows.map(nameOf))];
    const lines = new Map();
    for (const row of panel.rows) {
      const key = row.row + (row.x === undefined ? "" : ", " + figure.x + " " + round(row.x));
      if (!lines.has(key)) lines.set(key, [key, ...names.map(() => "")]);
      lines.get(key)[1 + names.indexOf(nameOf(row))] = row.v;
    }
    const caption = document.createElement("p");
    caption.className = "platform";
    caption.textContent = panel.title;
    const unit = isRatio(figure) ? "time over " + baselineName(figure) : figure.value;
    elements.push(caption, table(figure.title + ", " + panel.title, [unit, ...names], [...lines.values()]));
  }
  details.querySelector(".scroll").replaceChildren(...elements);
}

// The width of the range of the samples, in percent of their median.
function spreadOf(result) {
  const [low, high] = sampleRange(result);
  return (100 * (high - low)) / result.ms;
}

function fillAll() {
  const details = document.getElementById("all");
  const head = ["Graph", "Implementation", "Device", "Study", "Scope", "Threads", "Median, ms", "Spread, %", "Samples",
    "M edges/s", "Peak, MB", "Verified"];
  const rows = DATA.measurements
    .filter((result) => state.platforms.has(result.platform) && state.graphs.has(result.graph))
    .filter((result) => state.implementations.has(result.implementation))
    .map((result) => [
      labelOf(result.graph),
      result.implementation + (result.ran ? " (" + result.ran + ")" : ""),
      result.platform,
      result.study ? result.study + (result.parameter ? " " + Object.values(result.parameter).join(", ") : "") : "",
      result.scope || "solve",
      result.threads || "",
      result.ms || "",
      result.ms ? spreadOf(result) : "",
      result.samples.length,
      result.entries && result.ms ? result.entries / result.ms / 1e3 : "",
      result.peak ? result.peak / 1e6 : "",
      result.unverified ? "no" : "yes",
    ]);
  details.querySelector(".scroll").replaceChildren(table("All measurements", head, rows));
}

document.addEventListener("click", (event) => {
  const button = event.target.closest(".sortable th button");
  if (!button) return;
  const th = button.closest("th");
  const column = [...th.parentNode.children].indexOf(th);
  const body = th.closest("table").tBodies[0];
  const down = th.getAttribute("aria-sort") === "ascending";
  for (const other of th.parentNode.children) other.removeAttribute("aria-sort");
  th.setAttribute("aria-sort", down ? "descending" : "ascending");
  const key = (row) => {
    const element = row.children[column];
    return element.dataset.v === undefined ? element.textContent : Number(element.dataset.v);
  };
  const rows = [...body.rows].sort((a, b) => {
    const x = key(a), y = key(b);
    if (x === "" || y === "") return (x === "") - (y === "");
    const numbers = typeof x === "number" && typeof y === "number";
    return (down ? -1 : 1) * (numbers ? x - y : String(x).localeCompare(String(y)));
  });
  body.append(...rows);
});
