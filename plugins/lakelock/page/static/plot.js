// Plots as SVG. Each has a text that describes it; the numbers are in a table beside it.

import { svg, h } from "./dom.js";
import { tick } from "./format.js";

// Width of a time label, and distance to the next, in a plot that is 720 wide.
const TICK_WIDTH = 60;
const TICK_STEP = 100;
// Bars are cut off if the tallest is this many times as tall as the value that this share of all bars is below.
const CUT_TIMES = 10;
const CUT_SHARE = 0.8;

export function sparkline(values, label) {
  const width = 96;
  const height = 22;
  const top = Math.max(...values, 1);
  const step = width / values.length;
  const bars = values.map((v, i) => {
    const tall = v > 0 ? Math.max(1.5, (v / top) * (height - 2)) : 0;
    return svg("rect", { x: i * step + 1, y: height - tall, width: step - 2, height: tall, rx: 1 });
  });
  return svg(
    "svg",
    { class: "spark", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label },
    svg("title", {}, label),
    svg("line", { class: "axis", x1: 0, y1: height - 0.5, x2: width, y2: height - 0.5 }),
    bars,
  );
}

// The next round number whose half is round as well, in powers of *base*.
function nice(top, base) {
  for (let unit = 1; unit <= Number.MAX_SAFE_INTEGER; unit *= base) {
    for (const n of [2, 4, 10, 20, 40, 100, 200, 400, 1000]) if (n * unit >= top) return n * unit;
  }
  return top;
}

// Time labels, each once and complete: the last one ends with the plot.
function times(items, x, width, y) {
  const spanMs = items.length > 1 ? items.at(-1).at - items[0].at : 0;
  const ticks = [];
  let last = null;
  let free = 0;
  items.forEach((item, i) => {
    const text = tick(item.at, spanMs);
    if (text === last || x(i) < free) return;
    last = text;
    free = x(i) + TICK_STEP;
    const isLast = x(i) + TICK_WIDTH > width;
    ticks.push(svg("text", { x: isLast ? width : x(i), y, class: isLast ? "tick end" : "tick" }, text));
  });
  return ticks;
}

// The limit for the largest bars, so that one huge load leaves the others visible; null if nothing is cut off.
export function ceiling(items, base) {
  const tall = items.map((i) => i.value + (i.second ?? 0)).filter((v) => v > 0).sort((a, b) => a - b);
  if (!tall.length) return null;
  const common = tall[Math.floor(CUT_SHARE * (tall.length - 1))];
  return tall.at(-1) > CUT_TIMES * common ? nice(common * 1.5, base) : null;
}

// One bar per item, oldest first: {value, second?, at, title}. `second` is drawn on top, in another colour.
export function bars(items, { label, format, base = 1000, height = 150 }) {
  const width = 720;
  const left = 62;
  const bottom = 22;
  const inner = height - bottom - 8;
  const top = ceiling(items, base) ?? nice(Math.max(...items.map((i) => i.value + (i.second ?? 0)), 1), base);
  const step = (width - left) / Math.max(items.length, 24);
  const y = (v) => 8 + inner - (Math.min(v, top) / top) * inner;
  const shapes = items.map((item, i) => {
    const x = left + i * step;
    const wide = Math.max(1, step - Math.min(2, step * 0.25));
    const main = svg("rect", { x, width: wide, y: y(item.value), height: Math.max(0.5, y(0) - y(item.value)) });
    const more = item.second
      ? svg("rect", { class: "second", x, width: wide, y: y(item.value + item.second), height: y(item.value) - y(item.value + item.second) })
      : null;
    const whole = svg("rect", { class: "hit", x, width: step, y: 8, height: inner });
    const isCut = item.value + (item.second ?? 0) > top;
    const middle = x + wide / 2;
    const mark = isCut ? svg("path", { class: "cut", d: `M${middle - 5} 8 L${middle} 0 L${middle + 5} 8 Z` }) : null;
    return svg("g", { class: "bar" }, whole, main, more, mark, svg("title", {}, item.title));
  });
  const ticks = times(items, (i) => left + i * step, width, height - 6);
  const lines = [0, 0.5, 1].map((share) => [
    svg("line", { class: share ? "grid" : "axis", x1: left, x2: width, y1: y(top * share), y2: y(top * share) }),
    svg("text", { class: "tick end", x: left - 6, y: y(top * share) + 4 }, format(top * share)),
  ]);
  return svg(
    "svg",
    { class: "bars", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label, preserveAspectRatio: "xMinYMid meet" },
    lines,
    shapes,
    ticks,
  );
}

// Counts per class: [{label, value, marked?}].
export function histogram(items, { label, format }) {
  const top = Math.max(...items.map((i) => i.value), 1);
  return h(
    "ul",
    { class: "histogram", "aria-label": label },
    items.map((item) => {
      const fill = svg("rect", { width: (item.value / top) * 100, height: 10, class: item.marked ? "marked" : "" });
      const track = svg("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" }, fill);
      return h("li", {}, h("span", {}, item.label), track, h("b", {}, format(item.value)));
    }),
  );
}

// One cell per partition, in order; too many partitions share cells, and a cell shows the largest of its values.
export function strip(values, { label, titles, format }) {
  const cells = Math.min(values.length, 240);
  const width = 720;
  const top = Math.max(...values, 1);
  const shapes = [];
  for (let i = 0; i < cells; i += 1) {
    const from = Math.floor((i * values.length) / cells);
    const to = Math.max(from + 1, Math.floor(((i + 1) * values.length) / cells));
    let most = from;
    for (let j = from; j < to; j += 1) if (values[j] > values[most]) most = j;
    const strength = values[most] > 0 ? 0.18 + 0.82 * Math.sqrt(values[most] / top) : 0;
    const wide = width / cells;
    shapes.push(
      svg(
        "g",
        {},
        svg("rect", { class: "cell", x: i * wide, y: 0, width: Math.max(0.5, wide - (wide > 4 ? 1 : 0)), height: 26 }),
        svg("rect", {
          class: "heat",
          x: i * wide,
          y: 0,
          width: Math.max(0.5, wide - (wide > 4 ? 1 : 0)),
          height: 26,
          "fill-opacity": strength.toFixed(3),
        }),
        svg("title", {}, `${titles[most]}: ${format(values[most])}${to - from > 1 ? ` (most of ${to - from})` : ""}`),
      ),
    );
  }
  return svg("svg", { class: "strip", viewBox: `0 0 ${width} 26`, role: "img", "aria-label": label, preserveAspectRatio: "none" }, shapes);
}
