// The tables of one pipeline. There may be thousands, so the server finds, orders and sends a page of them.

import { h, replace } from "./dom.js";
import { count, plural } from "./format.js";

export const PAGE = 50;
// From so many tables on, they can be searched.
const MANY = 20;
const TYPING_MS = 250;
const ORDERS = { behind: "Behind first", latest: "Longest waiting first", name: "By name" };

// How many tables there are, and how many are later than promised.
export function counts({ table_count: tables, behind }) {
  return `${plural(tables, "table")}, ${behind ? `${count(behind)} behind` : "none behind"}`;
}

// The controls above and below a list of tables; *changed* is called with each new choice.
export function choosing(changed) {
  let [skip, found, timer] = [0, 0, null];
  const choose = (to) => {
    skip = to;
    changed();
  };
  const typed = () => {
    clearTimeout(timer);
    timer = setTimeout(() => choose(0), TYPING_MS);
  };
  const box = h("input", { type: "search", placeholder: "Table", "aria-label": "Find a table", oninput: typed });
  const order = h("select", { "aria-label": "Order of the tables", onchange: () => choose(0) }, Object.entries(ORDERS).map(([value, text]) => h("option", { value }, text)));
  const said = h("span", { class: "quiet", role: "status" });
  const page = (text, step) => h("button", { type: "button", class: "plain", onclick: () => choose(skip + step) }, text);
  const [back, on] = [page(`Previous ${PAGE}`, -PAGE), page(`Next ${PAGE}`, PAGE)];
  const tools = h("p", { class: "tools", hidden: true }, box, order, said);
  const pager = h("p", { class: "buttons pager", hidden: true }, back, on);
  return {
    tools,
    pager,
    // As the server takes it. Nothing for the first page of all tables.
    query: () => {
      const words = box.value.trim();
      return { ...(words ? { find: words } : {}), ...(order.value === "behind" ? {} : { order: order.value }), ...(skip ? { skip } : {}) };
    },
    show: (answer) => {
      found = answer.found;
      tools.hidden = answer.table_count <= MANY && !box.value;
      pager.hidden = found <= PAGE;
      const [first, last] = [Math.min(skip + 1, found), Math.min(skip + PAGE, found)];
      const shown = found > PAGE ? `; lines ${count(first)} to ${count(last)} of ${count(found)}` : box.value ? `; ${count(found)} found` : "";
      replace(said, `${counts(answer)}${shown}`);
      // A button that is disabled loses the focus.
      if (skip === 0 && document.activeElement === back) on.focus();
      back.disabled = skip === 0;
      if (skip + PAGE >= found && document.activeElement === on) back.focus();
      on.disabled = skip + PAGE >= found;
    },
  };
}
