// Parts that several views share: links, tiles, notes, tables, and errors shown in place.

import { airflow, runPath } from "./api.js";
import { h, replace } from "./dom.js";
import { NONE, at } from "./format.js";
import { SLOW_REFRESH_MS, freshly } from "./patience.js";

export function pageLink(query, text, properties = {}) {
  return h("a", { href: `page?${new URLSearchParams(query)}`, ...properties }, text);
}

export function airflowLink(path, text, properties = {}) {
  return h("a", { href: airflow(path), "data-outer": true, ...properties }, text);
}

// A link to another site opens in a tab of its own.
export function otherLink(address, text) {
  return h("a", { href: address, target: "_blank", rel: "noopener noreferrer", "data-outer": true }, text);
}

// The run that holds or wrote a batch: "<dag id>/<run id>", or the name that a shell used.
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

// Whether a column has numbers; a head that is an element is text from elsewhere.
function isNumber(head) {
  return typeof head === "string" && head.startsWith("#");
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
      h("thead", {}, h("tr", {}, heads.map((x) => h("th", { scope: "col", class: isNumber(x) ? "number" : "" }, isNumber(x) ? x.slice(1) : x)))),
      h(
        "tbody",
        {},
        rows.map((row) =>
          h("tr", {}, row.map((cell, i) => h("td", { class: isNumber(heads[i]) ? "number" : "" }, cell ?? NONE))),
        ),
      ),
    ),
  );
}

export function fault(error) {
  return h("p", { class: "fault", role: "alert" }, error.message);
}

// A server is away. The text is the same at each try, so that it is read out once.
export function away(error) {
  return h("p", { class: "fault" }, `${error.message} The page retries until it gets an answer.`);
}

// Shown above the view, which stays as it is.
export function reportAway(error) {
  replace(document.getElementById("away"), error ? away(error) : null);
}

// An error that does not pass by itself, shown above a view that stays as it was.
export function reportFault(error) {
  replace(document.getElementById("away"), fault(error));
}

export function asOf(found) {
  return `As of ${at(found.at)}.`;
}

// Whether the user works with it: a selection, the focus, or an open dialog that returns to it.
export function isInUse(place) {
  if (document.querySelector("dialog[open]")) return true;
  const selected = document.getSelection();
  if (selected?.rangeCount && !selected.isCollapsed && selected.getRangeAt(0).intersectsNode(place)) return true;
  const focused = document.activeElement;
  return focused !== place && place.contains(focused) && !focused.matches(".scroll");
}

function regions(place) {
  return [...place.querySelectorAll(".scroll")].map((region) => [region.getAttribute("aria-label"), region]);
}

// Redraws a part, keeping scroll positions and open details; returns false, undrawn, while the user works with it.
export function renew(place, ...children) {
  if (place.dataset.drawn && isInUse(place)) return false;
  const seen = new Map(regions(place).map(([name, r]) => [name, { left: r.scrollLeft, focused: r === document.activeElement }]));
  const unfolded = new Set([...place.querySelectorAll("details[open]")].map((d) => d.dataset.key));
  replace(place, children);
  place.dataset.drawn = "1";
  for (const details of place.querySelectorAll("details[data-key]")) details.open = unfolded.has(details.dataset.key);
  for (const [name, region] of regions(place)) {
    const before = seen.get(name);
    if (before?.left) region.scrollLeft = before.left;
    if (before?.focused) region.focus({ preventScroll: true });
  }
  return true;
}

// Draws parts and knows the oldest time among those shown; a part stays as it was while the user works with it.
export function drawing() {
  const times = new Map();
  return {
    draw: (place, at, ...children) => {
      const isDrawn = renew(place, ...children);
      if (isDrawn) times.set(place, at);
      return isDrawn;
    },
    forget: (place) => times.delete(place),
    oldest: () => [...times.values()].sort((a, b) => new Date(a) - new Date(b))[0],
  };
}

// Shows *make* of an answer that is refreshed, or its error, in a place of its own. *beside* stays as it is.
export function later(title, hint, ask, make, beside = null) {
  const status = h("div", { role: "status" });
  const place = h("div", { "aria-busy": "true" }, h("p", { class: "quiet" }, "Loading…"));
  const show = (found) => {
    place.removeAttribute("aria-busy");
    renew(place, h("p", { class: "hint" }, [hint, asOf(found)].filter(Boolean).join(" ")), make(found));
  };
  const report = (error) => replace(status, error ? away(error) : null);
  const failed = (error) => replace(status, fault(error));
  freshly(ask, { report, show, failed, isInUse: () => isInUse(place), everyMs: SLOW_REFRESH_MS })
    .catch((error) => replace(place, fault(error)))
    .finally(() => place.removeAttribute("aria-busy"));
  return section(title, null, status, place, beside);
}

// The first rows, and a button for the others; *kept* remembers whether it was pressed.
export function some(rows, first, make, kept = {}) {
  const place = h("div", {});
  const show = () => {
    const more = rows.length - first;
    const press = () => {
      kept.all = true;
      show();
    };
    const button = h("button", { type: "button", class: "plain", onclick: press }, `Show ${more} more`);
    replace(place, make(kept.all ? rows : rows.slice(0, first)), !kept.all && more > 0 ? button : null);
  };
  show();
  return place;
}
