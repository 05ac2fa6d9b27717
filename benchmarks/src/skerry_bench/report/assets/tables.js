// Tables: of a figure's numbers, of all measurements, and sorting by a click on a heading.
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
    row.forEach((value, place) => {
      const number = typeof value === "number" ? value : undefined;
      const made = cell(place ? "td" : "th", number === undefined ? value || "" : round(value), number);
      if (!place) made.scope = "row";
      line.append(made);
    });
    tbody.append(line);
  }
  element.append(title, thead, tbody);
  return element;
}

function fillNumbers(figure, panels, details) {
  const made = [];
  for (const panel of panels) {
    const names = [...new Set(panel.rows.map((row) => row.s + (row.ghost ? " (published)" : "")))];
    const lines = new Map();
    for (const row of panel.rows) {
      const key = row.row + (row.x === undefined ? "" : ", " + figure.x + " " + round(row.x));
      if (!lines.has(key)) lines.set(key, [key, ...names.map(() => "")]);
      lines.get(key)[1 + names.indexOf(row.s + (row.ghost ? " (published)" : ""))] = row.v;
    }
    const caption = document.createElement("p");
    caption.className = "place";
    caption.textContent = panel.title;
    made.push(caption, table(figure.title + ", " + panel.title, ["", ...names], [...lines.values()]));
  }
  details.querySelector(".scroll").replaceChildren(...made);
}

function fillAll() {
  const details = document.getElementById("all");
  const head = ["Graph", "Implementation", "Device", "Study", "What", "Threads", "Median ms", "Spread", "Samples",
    "M edges/s", "Peak MB", "Verified"];
  const rows = DATA.measurements
    .filter((one) => state.places.has(one.place) && state.graphs.has(one.graph))
    .filter((one) => state.implementations.has(one.implementation))
    .map((one) => [
      labelOf(one.graph),
      one.implementation + (one.ran ? " (" + one.ran + ")" : ""),
      one.place,
      one.study ? one.study + (one.parameter ? " " + Object.values(one.parameter).join(", ") : "") : "",
      one.scope || "solve",
      one.threads || "",
      one.ms || "",
      one.ms ? (Math.max(...one.samples) - Math.min(...one.samples)) / one.ms : "",
      one.samples.length,
      one.entries && one.ms ? one.entries / one.ms / 1e3 : "",
      one.peak ? one.peak / 1e6 : "",
      one.unverified ? "no" : "yes",
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
    const one = row.children[column];
    return one.dataset.v === undefined ? one.textContent : Number(one.dataset.v);
  };
  const rows = [...body.rows].sort((a, b) => {
    const x = key(a), y = key(b);
    if (x === "" || y === "") return (x === "") - (y === "");
    const numbers = typeof x === "number" && typeof y === "number";
    return (down ? -1 : 1) * (numbers ? x - y : String(x).localeCompare(String(y)));
  });
  body.append(...rows);
});
