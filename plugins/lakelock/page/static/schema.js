// A table's columns, its layout, a few rows, and ways to read it with other engines.

import { h } from "./dom.js";
import { at, count, plural } from "./format.js";
import { grid, some } from "./parts.js";

const FIRST = 20;

// The newest change of a column that records asked for.
function changed(column) {
  if (!column.changed) return "";
  return [`since ${at(column.changed.at_ms)}: ${column.changed.what}`, h("small", {}, `for the record of ${column.changed.record}`)];
}

export function definition(found, kept) {
  const more = found.column_count - found.columns.length;
  const anyChanged = found.columns.some((c) => c.changed);
  const deep = (c) => (c.depth ? h("span", { class: `deep deep${Math.min(c.depth, 6)}` }, c.name) : h("strong", {}, c.name));
  return [
    h("p", {}, `${found.layout[0].toUpperCase()}${found.layout.slice(1)}.`),
    h("p", { class: "id path" }, found.location),
    some(found.columns, FIRST, (shown) => grid("Columns", ["Column", "Type", "Required", "Description", ...(anyChanged ? ["Last change"] : [])], shown.map((c) => [deep(c), h("code", {}, c.type), c.required ? "required" : "", c.doc ?? "", ...(anyChanged ? [changed(c)] : [])])), kept),
    more > 0 ? h("p", { class: "hint" }, `and ${plural(more, "more field")}`) : null,
  ];
}

export function rows(found) {
  if (found.hidden) return h("p", { class: "quiet" }, "To see rows, you need the right to read the logs of the DAG's tasks.");
  const few = found.why_few ? ` ${found.why_few}` : "";
  if (!found.rows.length) return h("p", { class: "quiet" }, found.why_few ? `None to show.${few}` : "None.");
  const cell = (value) => (value === null ? h("span", { class: "quiet" }, "NULL") : h("span", { class: "value" }, value));
  const left = found.fields_left_out ? ` ${plural(found.fields_left_out, "further field")} ${found.fields_left_out === 1 ? "is" : "are"} left out.` : "";
  return [
    h("p", { class: "hint" }, `Of the newest ${found.files.length === 1 ? "file" : `${count(found.files.length)} files`}; long values are truncated.${left}${few}`),
    grid("Sample rows", found.columns.map((name) => h("span", {}, name)), found.rows.map((row) => row.map(cell))),
  ];
}

export function reading(found) {
  return found.snippets.map((s) => [
    h("h3", {}, s.engine),
    s.needs ? h("p", { class: "hint" }, `It needs ${s.needs}.`) : null,
    h("pre", { tabindex: "0", role: "region", "aria-label": `Program for ${s.engine}` }, h("code", {}, s.program)),
  ]);
}
