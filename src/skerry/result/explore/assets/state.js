// The data of the page, ids as they are shown, and small helpers of the other scripts.
const DATA = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const count = (number) => number.toLocaleString("en-US");
const counted = (number, noun, many) => `${count(number)} ${number === 1 ? noun : many}`;

// Characters that are not shown but act: controls, directions of writing, line separators.
const ACTING = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const JOINERS = "\u200c\u200d";
const NAMED = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escapeOf(character) {
  if (JOINERS.includes(character)) return character;
  const code = character.codePointAt(0);
  const digits = code < 256 ? ["x", 2] : code < 65536 ? ["u", 4] : ["U", 8];
  return NAMED[character] ?? `\\${digits[0]}${code.toString(16).padStart(digits[1], "0")}`;
}

const shown = (text) => text.replace(ACTING, escapeOf);
const short = (text, length = 24) => {
  const letters = [...text];
  if (letters.length <= length) return text;
  const [head, tail] = [letters.slice(0, length / 2 - 1), letters.slice(-length / 2)];
  return `${head.join("")}\u2026${tail.join("")}`;
};

// Every vertex of the page: its id, its number within the drawing of its component, if it is drawn,
// and that component.
const vertices = [];
const parts = DATA.parts.map((part, number) => {
  const own = { ...part, first: vertices.length, links: [] };
  const ids = DATA.redacted ? Array.from({ length: part.ids }) : part.ids;
  for (const id of ids) {
    const raw = id ?? `#${vertices.length + 1}`;
    vertices.push({ raw, name: shown(raw), part: own, number: vertices.length - own.first });
  }
  own.vertices = vertices.slice(own.first);
  own.others = (part.others ?? []).map((raw) => ({ raw, name: shown(raw), part: own }));
  vertices.push(...own.others);
  const flat = part.links ?? [];
  for (let at = 0; at < flat.length; at += 3) {
    const [source, target] = [own.vertices[flat[at]], own.vertices[flat[at + 1]]];
    const weight = part.weights?.[at / 3];
    own.links.push({ source, target, splits: flat[at + 2], row: part.rows?.[at / 3], weight });
  }
  const label = DATA.redacted ? `${number + 1}` : part.label ?? own.vertices[0].raw;
  own.name = shown(label);
  return own;
});

const vertexOf = new Map();
for (const vertex of vertices) {
  for (const key of [vertex.name, vertex.raw]) if (!vertexOf.has(key)) vertexOf.set(key, vertex);
}

function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

const idElement = (vertex) => element("span", { className: "id" }, vertex.name);

// Copies by the clipboard; where a browser refuses, the text is shown to be copied by hand.
async function copy(text, what) {
  const box = byId("copy-box");
  box.hidden = true;
  try {
    await navigator.clipboard.writeText(text);
    byId("copied").textContent = `Copied ${what}.`;
  } catch {
    box.value = text;
    box.hidden = false;
    box.select();
    byId("copied").textContent = `Press Ctrl+C to copy ${what}.`;
  }
}
