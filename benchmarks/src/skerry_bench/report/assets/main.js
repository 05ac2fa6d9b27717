// Connects the controls, draws every figure, and draws again when a choice or the width changes.
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
  const number = ++drawing;
  root.dataset.drawn = "no";
  filterTables();
  showCounts();
  await loaded;
  for (const figure of loaded ? nearestFirst() : []) {
    if (number !== drawing) return; // a later call has started
    await draw(figure);
  }
  if (document.getElementById("all").open) fillAll();
  if (number === drawing) root.dataset.drawn = "yes";
}

// Figures on the screen are drawn first.
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
  for (const part of document.querySelectorAll("details[data-platform]"))
    part.hidden = !state.platforms.has(part.dataset.platform);
  for (const cell of document.querySelectorAll(".race [data-implementation]"))
    cell.hidden = !state.implementations.has(cell.dataset.implementation);
}

function showCounts() {
  const total = {
    platforms: DATA.platforms.length,
    graphs: Object.keys(DATA.graphs).length,
    implementations: Object.keys(DATA.implementations).length,
  };
  for (const [name, count] of Object.entries(total)) {
    const text = state[name].size === count ? "all " + count : state[name].size + " of " + count;
    document.querySelector("#menu-" + name + " .count").textContent = text;
  }
  document.getElementById("shown").textContent =
    "Showing " + state.graphs.size + " graphs, " + state.implementations.size + " algorithms.";
}

// Fills a list of checkboxes; returns a function that checks all of them, or none.
function fillMenu(name, entries) {
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
  const setAll = (on) => {
    for (const box of list.querySelectorAll("input")) box.checked = on;
    state[name] = new Set(on ? entries.map(([value]) => value) : []);
  };
  for (const [kind, on] of [["all", true], ["none", false]])
    document.querySelector(`[data-${kind}="${name}"]`).addEventListener("click", () => {
      setAll(on);
      drawAll();
    });
  return setAll;
}

function connectChoices() {
  const setAlls = [
    fillMenu("platforms", DATA.platforms.map((platform) => [platform.name, platform.name])),
    fillMenu("graphs", Object.entries(DATA.graphs).map(([name, graph]) => [name, graph.label])),
    fillMenu("implementations", Object.entries(DATA.implementations).map(([name, implementation]) =>
      [name, implementation.label + (implementation.peer ? " (peer)" : "")])),
  ];
  const published = document.getElementById("published"), order = document.getElementById("order");
  published.add(new Option("newer device", 0));
  published.add(new Option("older device", 1));
  published.add(new Option("none", -1));
  const onChange = (element, change) => element.addEventListener("change", () => { change(); drawAll(); });
  onChange(published, () => { state.source = Number(published.value); });
  onChange(order, () => { state.order = order.value; });
  for (const radio of document.querySelectorAll("[name=base]"))
    onChange(radio, () => { state.base = radio.value; });
  document.getElementById("reset").addEventListener("click", () => {
    setAlls.forEach((setAll) => setAll(true));
    Object.assign(state, { base: "auto", source: 0, order: "paper" });
    published.value = "0";
    order.value = "paper";
    document.querySelector("[name=base][value=auto]").checked = true;
    drawAll();
  });
}

function connectTheme() {
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
  const shown = new Set([...pressed].map((button) => button.dataset.verdict));
  for (const list of document.querySelectorAll(".claims")) {
    for (const item of list.children) item.hidden = !shown.has(item.dataset.conclusion);
    list.parentNode.hidden = [...list.children].every((item) => item.hidden);
  }
}

function connectClaims() {
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
function connectMenus() {
  const openMenus = () => document.querySelectorAll(".menu[open]");
  document.addEventListener("click", (event) => {
    for (const menu of openMenus()) if (!menu.contains(event.target)) menu.open = false;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    document.getElementById("tooltip").hidden = true;
    for (const menu of openMenus()) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });
}

// Anchors and the table of contents stop below the filters, whatever their height.
function connectWidth() {
  const bar = document.querySelector(".filters");
  new ResizeObserver(() => root.style.setProperty("--bar", bar.offsetHeight + "px")).observe(bar);
  let width = innerWidth, timer = 0;
  addEventListener("resize", () => {
    if (innerWidth === width) return; // the toolbars of a phone change only the height
    width = innerWidth;
    clearTimeout(timer);
    timer = setTimeout(drawAll, 200);
  });
}

connectTheme();
connectChoices();
connectClaims();
connectMenus();
connectWidth();
document.getElementById("all").addEventListener("toggle", (event) => event.target.open && fillAll());
drawAll();
