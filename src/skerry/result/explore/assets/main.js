// What the page does: shows a component, selects a vertex, finds a path.
const OUTSIDE = "which is not in the sample: a page made with include= or --include draws it.";

function show(part) {
  for (const each of parts) each.line?.removeAttribute("aria-current");
  part.line?.setAttribute("aria-current", "true");
  byId("name").replaceChildren("Component ",
    element("span", { className: "id" }, short(part.name, 80)));
  const facts = [counted(part.size, "vertex", "vertices")];
  if (part.edges !== undefined) facts.push(counted(part.edges, "edge", "edges"));
  if (part.bridges) facts.push(counted(part.bridges, "bridge", "bridges"));
  byId("facts").textContent = facts.join(", ");
  const [drawn, links] = [part.vertices.length, part.links.length];
  const missing = [];
  if (drawn < part.size) {
    missing.push(`This component is too large to draw. This is a sample: ${count(drawn)} of`
      + ` ${counted(part.size, "vertex", "vertices")}`
      + `${links && !DATA.redacted ? `, close to ${short(part.vertices[0].name)}.` : "."}`);
  }
  if (part.distinct > links) {
    missing.push(`${count(links)} of ${count(part.distinct)} links are drawn.`);
  }
  byId("sampled").textContent = missing.join(" ");
  byId("sampled").hidden = !missing.length;
  for (const id of ["from", "to"]) byId(id).value = "";
  listVertices(part);
  listLinks(part);
  drawPart(part);
  select(null);
  tellPath("", null);
}

function select(vertex) {
  view.selected = vertex;
  const where = vertex && vertex.number === undefined ? `, ${OUTSIDE}` : "";
  byId("chosen").replaceChildren(...(vertex ? ["Selected: ", idElement(vertex), where] : []));
  byId("chosen-tools").hidden = !vertex;
  mark();
}

function tellPath(text, path) {
  view.path = path;
  byId("path-status").textContent = text;
  byId("copy-path").hidden = !path?.length;
  byId("path-links").replaceChildren(...(path ?? []).map(({ from, to, link }) =>
    element("li", {}, describeLink({ ...link, source: from, target: to }))));
  mark();
}

// A shortest path, by a breadth-first search of the links of the page.
function pathBetween(from, to) {
  const near = new Map(from.part.vertices.map((vertex) => [vertex, []]));
  for (const link of from.part.links) {
    near.get(link.source).push({ from: link.source, to: link.target, link });
    near.get(link.target).push({ from: link.target, to: link.source, link });
  }
  const reached = new Map([[from, null]]);
  for (const vertex of reached.keys()) { // which grows meanwhile
    for (const step of near.get(vertex)) if (!reached.has(step.to)) reached.set(step.to, step);
  }
  if (!reached.has(to)) return null;
  const path = [];
  for (let step = reached.get(to); step; step = reached.get(step.from)) path.unshift(step);
  return path;
}

function showPath() {
  const texts = ["from", "to"].map((id) => byId(id).value.trim());
  const ends = texts.map((text) => vertexOf.get(text));
  const unknown = ends.findIndex((vertex) => !vertex);
  if (unknown >= 0) {
    const text = texts[unknown];
    tellPath(text ? `${shown(text)} is not an id on this page.` : "Type two ids.", null);
    return;
  }
  const [from, to] = ends;
  if (from.part !== to.part) {
    tellPath(`No path: ${from.name} and ${to.name} are in different components.`, null);
    return;
  }
  if (view.part !== from.part) {
    show(from.part);
    texts.forEach((text, end) => { byId(["from", "to"][end]).value = text; });
  }
  const outside = ends.find((vertex) => vertex.number === undefined);
  if (outside) {
    tellPath(`${outside.name}, ${OUTSIDE}`, null);
    return;
  }
  const path = pathBetween(from, to);
  if (!path) {
    tellPath("The page holds no links between these two.", null);
    return;
  }
  const { part } = from;
  const complete = !DATA.problem && part.distinct === part.links.length
    && part.size === part.vertices.length;
  const kind = complete ? ", a shortest path" : ", the shortest among the links that are drawn";
  tellPath(`${counted(path.length, "link", "links")}${path.length > 1 ? kind : ""}.`, path);
}

function pathText() {
  return view.path.map(({ from, to, link }) =>
    [from.raw, to.raw, link.weight].filter((cell) => cell !== undefined).join("\t")).join("\n");
}

function describePage() {
  document.title = DATA.title ? `${shown(DATA.title)}: connected components` : document.title;
  byId("title").textContent = document.title;
  byId("summary").textContent = [
    counted(DATA.components, "component", "components"),
    counted(DATA.vertices, "vertex", "vertices"), counted(DATA.edges, "edge", "edges"),
  ].join(", ");
  const notes = [];
  if (DATA.redacted) notes.push("Ids are redacted: numbers such as #1 stand for them.");
  if (DATA.ids < DATA.vertices) {
    notes.push(`The page holds ${count(DATA.ids)} of ${count(DATA.vertices)} ids, of`
      + ` ${count(parts.length)} of ${count(DATA.components)} components, the largest first.`);
  }
  if (DATA.problem) {
    notes.push(`${shown(DATA.problem)}. ${DATA.hasEdges
      ? "Only the links of the spanning forest are drawn, and bridges are not known."
      : "No links are drawn."}`);
  }
  byId("notes").append(...notes.map((text) => element("p", { className: "note" }, text)));
}

function listen() {
  byId("query").addEventListener("input", (event) => find(event.target.value));
  byId("find").addEventListener("submit", (event) => {
    event.preventDefault();
    find(byId("query").value);
    byId("hits").querySelector("button")?.click();
  });
  byId("path").addEventListener("submit", (event) => {
    event.preventDefault();
    showPath();
  });
  byId("more").onclick = listMore;
  byId("path-from").onclick = () => {
    byId("from").value = view.selected.name;
    byId("to").focus();
  };
  byId("path-to").onclick = () => {
    byId("to").value = view.selected.name;
    showPath();
  };
  byId("copy-id").onclick = () => copy(view.selected.raw, "the id");
  byId("copy-ids").onclick = () => {
    const all = [...view.part.vertices, ...view.part.others];
    copy(all.map(({ raw }) => raw).join("\n"), counted(all.length, "id", "ids"));
  };
  byId("copy-path").onclick = () => copy(pathText(), "the path");
  listenToDrawing();
}

describePage();
listSizes();
listMore();
listen();
byId("part").hidden = !parts.length;
if (parts.length) show(parts[0]);
document.documentElement.dataset.drawn = "yes";
