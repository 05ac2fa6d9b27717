// Wires the controls, draws every figure, and draws again when a choice or the width changes.
const root = document.documentElement;
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
let chosenTheme = "";

function applyTheme() {
  root.dataset.theme = chosenTheme || (prefersDark.matches ? "dark" : "light");
  for (const button of document.querySelectorAll("button[data-theme]"))
    button.setAttribute("aria-pressed", String(button.dataset.theme === chosenTheme));
}

let drawing = 0;
async function drawAll() {
  const turn = ++drawing;
  root.dataset.drawn = "no";
  filterTables();
  say();
  await loaded;
  for (const figure of loaded ? nearestFirst() : []) {
    if (turn !== drawing) return;
    await draw(figure);
  }
  if (document.getElementById("all").open) fillAll();
  if (turn === drawing) root.dataset.drawn = "yes";
}

// What is on the screen is drawn first.
function nearestFirst() {
  const distance = (figure) => {
    const box = document.getElementById(figure.id).getBoundingClientRect();
    return Math.max(0, box.top - innerHeight, -box.bottom);
  };
  const ranked = DATA.figures.map((figure) => [distance(figure), figure]);
  return ranked.sort((a, b) => a[0] - b[0]).map(([, figure]) => figure);
}

function filterTables() {
  for (const row of document.querySelectorAll("tr[data-graph]"))
    row.hidden = row.dataset.graph in DATA.graphs && !state.graphs.has(row.dataset.graph);
}

function say() {
  const total = {
    places: DATA.places.length,
    graphs: Object.keys(DATA.graphs).length,
    implementations: Object.keys(DATA.implementations).length,
  };
  for (const [name, most] of Object.entries(total)) {
    const text = state[name].size === most ? "all " + most : state[name].size + " of " + most;
    document.querySelector("#menu-" + name + " .count").textContent = text;
  }
  document.getElementById("shown").textContent =
    "Showing " + state.graphs.size + " graphs, " + state.implementations.size + " algorithms.";
}

// A list of boxes to tick; gives what ticks all of them, or none.
function menu(name, entries) {
  const list = document.getElementById(name);
  for (const [value, text] of entries) {
    const label = document.createElement("label");
    const box = document.createElement("input");
    box.type = "checkbox";
    box.value = value;
    box.checked = true;
    box.addEventListener("change", () => {
      if (box.checked) state[name].add(value);
      else state[name].delete(value);
      drawAll();
    });
    label.append(box, text);
    list.append(label);
  }
  const all = (on) => {
    for (const box of list.querySelectorAll("input")) box.checked = on;
    state[name] = new Set(on ? entries.map(([value]) => value) : []);
  };
  for (const [kind, on] of [["all", true], ["none", false]])
    document.querySelector(`[data-${kind}="${name}"]`).addEventListener("click", () => {
      all(on);
      drawAll();
    });
  return all;
}

function wireChoices() {
  const menus = [
    menu("places", DATA.places.map((place) => [place.name, place.name])),
    menu("graphs", Object.entries(DATA.graphs).map(([name, graph]) => [name, graph.label])),
    menu("implementations", Object.entries(DATA.implementations).map(([name, one]) =>
      [name, one.label + (one.peer ? " (peer)" : "")])),
  ];
  const ghosts = document.getElementById("ghosts"), order = document.getElementById("order");
  ghosts.add(new Option("newer device", 0));
  ghosts.add(new Option("older device", 1));
  ghosts.add(new Option("none", -1));
  const take = (element, change) => element.addEventListener("change", () => { change(); drawAll(); });
  take(ghosts, () => { state.ghost = Number(ghosts.value); });
  take(order, () => { state.order = order.value; });
  for (const radio of document.querySelectorAll("[name=base]"))
    take(radio, () => { state.base = radio.value; });
  document.getElementById("reset").addEventListener("click", () => {
    menus.forEach((all) => all(true));
    Object.assign(state, { base: "auto", ghost: 0, order: "paper" });
    ghosts.value = "0";
    order.value = "paper";
    document.querySelector("[name=base][value=auto]").checked = true;
    drawAll();
  });
}

function wireTheme() {
  applyTheme();
  for (const button of document.querySelectorAll("button[data-theme]"))
    button.addEventListener("click", () => {
      chosenTheme = button.dataset.theme;
      applyTheme();
    });
  prefersDark.addEventListener("change", applyTheme);
}

function showClaims() {
  const pressed = document.querySelectorAll("[data-verdict][aria-pressed=true]");
  const shown = new Set([...pressed].map((one) => one.dataset.verdict));
  for (const list of document.querySelectorAll(".claims")) {
    for (const item of list.children) item.hidden = !shown.has(item.dataset.outcome);
    list.hidden = [...list.children].every((item) => item.hidden);
    list.previousElementSibling.hidden = list.hidden;
  }
}

function wireClaims() {
  for (const button of document.querySelectorAll("[data-verdict]"))
    button.addEventListener("click", () => {
      button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") !== "true"));
      showClaims();
    });
  document.getElementById("rules").addEventListener("change", (event) => {
    for (const list of document.querySelectorAll(".claims"))
      list.classList.toggle("ruled", event.target.checked);
  });
  showClaims();
}

// Menus close on Escape and on a click elsewhere.
function wireMenus() {
  const opened = () => document.querySelectorAll(".menu[open]");
  document.addEventListener("click", (event) => {
    for (const one of opened()) if (!one.contains(event.target)) one.open = false;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    document.getElementById("tip").hidden = true;
    for (const one of opened()) {
      one.open = false;
      one.querySelector("summary").focus();
    }
  });
  document.getElementById("filters").open = innerWidth > 960;
}

// Anchors and the contents stop below the bar of filters, however high it is.
function wireWidth() {
  const bar = document.querySelector(".filters");
  new ResizeObserver(() => root.style.setProperty("--bar", bar.offsetHeight + "px")).observe(bar);
  let width = innerWidth, timer = 0;
  addEventListener("resize", () => {
    if (innerWidth === width) return; // a phone's bars come and go with scrolling
    width = innerWidth;
    clearTimeout(timer);
    timer = setTimeout(drawAll, 200);
  });
}

wireTheme();
wireChoices();
wireClaims();
wireMenus();
wireWidth();
document.getElementById("all").addEventListener("toggle", (event) => event.target.open && fillAll());
drawAll();
