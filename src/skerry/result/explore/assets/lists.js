// Lists and tables: what is found, components, the vertices and links of one, sizes.
const HITS = 30;
const PAGE = 50;
let listed = 0;

function find(text) {
  const query = text.trim();
  const hits = byId("hits");
  hits.replaceChildren();
  if (!query) {
    byId("found").textContent = "";
    return [];
  }
  const lower = query.toLowerCase();
  const matches = vertices.filter(({ raw, name }) =>
    name.toLowerCase().includes(lower) || raw.toLowerCase().includes(lower));
  const exact = vertexOf.get(query);
  if (exact) matches.sort((first, second) => (second === exact) - (first === exact));
  const missing = DATA.ids < DATA.vertices
    ? ` This page holds ${count(DATA.ids)} of ${count(DATA.vertices)} ids.` : "";
  const first = matches.length > HITS ? `, the first ${HITS}` : "";
  byId("found").textContent = matches.length
    ? `${counted(matches.length, "id", "ids")}${first}:`
    : `No id on this page has this text.${missing}`;
  hits.append(...matches.slice(0, HITS).map((vertex) => {
    const button = vertexButton(vertex, () => {
      show(vertex.part);
      select(vertex);
      byId("part").focus();
    });
    const size = ` of ${counted(vertex.part.size, "vertex", "vertices")}`;
    button.append(element("span", { className: "muted" }, size));
    return element("li", {}, button);
  }));
  return matches;
}

function vertexButton(vertex, onclick) {
  return element("button", { type: "button", onclick }, idElement(vertex));
}

function listMore() {
  const rows = parts.slice(listed, listed + PAGE).map((part) => {
    const onclick = () => {
      show(part);
      byId("part").focus();
    };
    const button = element("button", { type: "button", onclick }, short(part.name, 40));
    const numbers = [part.size, part.edges, part.bridges].map((value) =>
      element("td", {}, value === undefined ? "" : count(value)));
    part.line = element("tr", {}, element("td", {}, button), ...numbers);
    return part.line;
  });
  byId("parts").tBodies[0].append(...rows);
  listed += rows.length;
  byId("more").hidden = listed >= parts.length;
  byId("more").textContent = `Show ${count(Math.min(PAGE, parts.length - listed))} more`;
}

function listVertices(part) {
  byId("members").replaceChildren(...part.vertices.map(({ name }) =>
    element("option", { value: name })));
  const items = part.vertices.map((vertex) =>
    element("li", {}, vertexButton(vertex, () => select(vertex))));
  byId("vertices").querySelector("ul").replaceChildren(...items);
  byId("vertices").querySelector("summary").textContent =
    counted(part.vertices.length, "vertex", "vertices");
}

function listLinks(part) {
  byId("links").hidden = !part.links.length;
  byId("links").querySelector("summary").textContent = counted(part.links.length, "link", "links");
  byId("links").querySelector("ol").replaceChildren(...part.links.map((link) =>
    element("li", {}, describeLink(link))));
}

function listSizes() {
  const largest = Math.max(...DATA.classes.map(([, , components]) => components));
  const rows = DATA.classes.map(([low, high, components, inside]) => {
    const bar = element("div");
    bar.style.width = `${3 + 97 * (largest > 1 ? Math.log(components) / Math.log(largest) : 1)}%`;
    const size = low === high ? count(low) : `${count(low)}\u2013${count(high)}`;
    const share = `${((100 * inside) / DATA.vertices).toFixed(1)}%`;
    return element("tr", {}, element("td", {}, size), element("td", { className: "wide" }, bar),
      element("td", {}, count(components)), element("td", {}, share));
  });
  byId("sizes").tBodies[0].replaceChildren(...rows);
}

function describeLink({ source, target, weight, row, splits }) {
  const details = [];
  if (weight !== undefined) details.push(`weight ${weight}`);
  if (row !== undefined) details.push(`row ${count(row)}`);
  if (splits) details.push(`a bridge, which splits off ${counted(splits, "vertex", "vertices")}`);
  return `${source.name} \u2013 ${target.name}${details.length ? `: ${details.join(", ")}` : ""}`;
}
