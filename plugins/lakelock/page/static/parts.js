// What several views show: links, tiles, notes, tables, and faults that are told in place.

import { airflow, runPath } from "./api.js";
import { h, replace } from "./dom.js";
import { NONE } from "./format.js";
import { patiently } from "./patience.js";

export function pageLink(query, text, properties = {}) {
  return h("a", { href: `page?${new URLSearchParams(query)}`, ...properties }, text);
}

export function airflowLink(path, text, properties = {}) {
  return h("a", { href: airflow(path), "data-airflow": true, ...properties }, text);
}

// The run that holds or wrote a batch: "<dag id>/<run id>", or what a shell called itself.
export function runLink(run, task) {
  if (!run) return NONE;
  if (!/^(ingest|backfill)__.+\/./.test(run)) return run;
  const path = runPath(run) + (task ? `/tasks/${task}` : "");
  return airflowLink(path, run.slice(run.indexOf("/") + 1), { class: "id" });
}

export function inTile(label, value, hint) {
  return [h("dt", {}, label), h("dd", {}, value), hint ? h("dd", { class: "about" }, hint) : null];
}

export function tile(label, value, hint, level) {
  return h("div", { class: `tile ${level ?? ""}` }, inTile(label, value, hint));
}

export function tiles(...children) {
  return h("dl", { class: "tiles" }, children);
}

export function notes(list) {
  if (!list.length) return null;
  return h(
    "ul",
    { class: "notes" },
    list.map((n) => h("li", { class: n.level }, h("strong", {}, n.level), " ", n.text)),
  );
}

export function section(title, hint, ...children) {
  return h("section", {}, h("h2", {}, title), hint ? h("p", { class: "hint" }, hint) : null, children);
}

export function grid(caption, heads, rows, empty = "Nothing.") {
  if (!rows.length) return h("p", { class: "quiet" }, empty);
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    h(
      "table",
      {},
      h("caption", { class: "unseen" }, caption),
      h("thead", {}, h("tr", {}, heads.map((x) => h("th", { scope: "col", class: x.startsWith("#") ? "number" : "" }, x.replace("#", ""))))),
      h(
        "tbody",
        {},
        rows.map((row) =>
          h("tr", {}, row.map((cell, i) => h("td", { class: heads[i].startsWith("#") ? "number" : "" }, cell ?? NONE))),
        ),
      ),
    ),
  );
}

export function fault(error) {
  return h("p", { class: "fault", role: "alert" }, error.message);
}

// Of a server that is away; the same words with each try, so that they are read out once.
export function away(error) {
  return h("p", { class: "fault" }, `${error.message} It is asked again until it answers.`);
}

// Above the view, which stays as it is meanwhile.
export function tellAway(error) {
  replace(document.getElementById("away"), error ? away(error) : null);
}

// Shows *make* of what is asked, or why it cannot be shown, in a place of its own.
export function later(title, hint, ask, make) {
  const told = h("div", { role: "status" });
  const place = h("div", { "aria-busy": "true" }, h("p", { class: "quiet" }, "Loading…"));
  patiently(ask, (error) => replace(told, error ? away(error) : null))
    .then((found) => replace(place, make(found)))
    .catch((error) => replace(place, fault(error)))
    .finally(() => place.removeAttribute("aria-busy"));
  return section(title, hint, told, place);
}

// The first rows, and a button for the others.
export function some(rows, first, make) {
  const place = h("div", {});
  const show = (all) => {
    const more = rows.length - first;
    const button = h("button", { type: "button", class: "plain", onclick: () => show(true) }, `Show ${more} more`);
    replace(place, make(all ? rows : rows.slice(0, first)), !all && more > 0 ? button : null);
  };
  show(false);
  return place;
}
