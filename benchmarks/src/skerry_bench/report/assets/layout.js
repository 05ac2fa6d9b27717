// How a panel is divided into charts: at most eight series and one screen in each, all on one scale.
const MOST_SERIES = 8;
const MOST_LANES = 44;

// Charts of a panel, each with its rows, their order, its title and whether lanes are named.
function chartsOf(figure, rows, order, series) {
  if (figure.kind === "line") return order.map((name) => part(rows, [name], series, name));
  if (figure.kind !== "ratio" && figure.kind !== "value") return [part(rows, order, series, "")];
  // The mean comes first: it is what a reader looks for.
  const ordered = [...order.filter((name) => name === MEAN), ...order.filter((name) => name !== MEAN)];
  if (series.length > MOST_SERIES) return namedCharts(rows, ordered, series);
  const lanes = (name) => new Set(rows.filter((row) => row.row === name).map((row) => row.s)).size + 1;
  const total = ordered.reduce((sum, name) => sum + lanes(name), 0);
  const enough = total / Math.ceil(total / MOST_LANES); // charts of about the same height
  const groups = [[]];
  let height = 0;
  for (const name of ordered) {
    if (height >= enough) {
      groups.push([]);
      height = 0;
    }
    groups[groups.length - 1].push(name);
    height += lanes(name);
  }
  return groups.map((names) => part(rows, names, series, ""));
}

// A chart for every row, with a name beside each bar; rows that have the same one bar share a chart.
function namedCharts(rows, ordered, series) {
  const only = new Map();
  for (const name of ordered) {
    const present = new Set(rows.filter((row) => row.row === name).map((row) => row.s));
    only.set(name, present.size === 1 && name !== MEAN ? [...present][0] : null);
  }
  const several = ordered.filter((name) => only.get(name) === null);
  const charts = several.map((name) => ({ ...part(rows, [name], series, name), named: true }));
  for (const one of new Set(only.values()))
    if (one !== null) {
      const names = ordered.filter((name) => only.get(name) === one);
      charts.push(part(rows, names, [one], one));
    }
  return charts;
}

function part(rows, order, series, title) {
  const kept = rows.filter((row) => order.includes(row.row));
  const present = series.filter((name) => kept.some((row) => row.s === name));
  return { rows: kept, order, series: present, title, named: false };
}

// The least width of a chart, as a length of CSS: small ones stand beside each other.
function cellWidth(figure, charts) {
  if (charts.length < 2) return "100%";
  return figure.kind === "line" ? "14rem" : charts.some((chart) => chart.named) ? "19rem" : "27rem";
}

// A side for the label of each point on which it covers no other label or point; none if all do.
function withLabelSides(rows, width, height, [x0, x1], [y0, y1]) {
  const placed = rows.map((row) => {
    const x = (width * Math.log(row.x / x0)) / Math.log(x1 / x0);
    const y = height - (height * Math.log(row.v / y0)) / Math.log(y1 / y0);
    return { x, y, length: 6.6 * row.row.length };
  });
  const taken = placed.map(({ x, y }) => [x - 6, y - 6, x + 6, y + 6]);
  return rows.map((row, index) => {
    const { x, y, length } = placed[index];
    const boxes = {
      above: [x - length / 2, y - 19, x + length / 2, y - 7],
      below: [x - length / 2, y + 7, x + length / 2, y + 19],
      right: [x + 8, y - 6, x + 8 + length, y + 6],
      left: [x - 8 - length, y - 6, x - 8, y + 6],
    };
    const free = ([left, top, right, bottom]) => left >= 0 && right <= width && top >= 0 && bottom <= height &&
      taken.every((box, other) => other === index || right < box[0] || left > box[2] || bottom < box[1] || top > box[3]);
    const side = Object.keys(boxes).find((name) => free(boxes[name]));
    if (side) taken.push(boxes[side]);
    return { ...row, side };
  });
}
