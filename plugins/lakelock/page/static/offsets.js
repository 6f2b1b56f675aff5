// Offsets by snapshot and by file, and the search for one offset.

import * as actions from "./actions.js";
import { get, ofTable } from "./api.js";
import { h, replace } from "./dom.js";
import { NONE, at, bytes, compactly, count, isUnknown, plural } from "./format.js";
import { fault, grid, runLink, some } from "./parts.js";
import { histogram } from "./plot.js";

const FIRST = 10;

function columnsOf(snapshot) {
  const { columns } = snapshot;
  if (!columns) return null;
  const more = columns.change_count - columns.changes.length;
  const list = h("ul", { class: "lines" }, columns.changes.map((c) => h("li", {}, c)), more > 0 ? h("li", {}, `and ${plural(more, "more change")}`) : null);
  const shown = columns.change_count <= 3 ? list : h("details", { "data-key": snapshot.snapshot_id }, h("summary", {}, plural(columns.change_count, "change")), list);
  return [shown, h("small", {}, `for the record of ${columns.record}`)];
}

function ranges(snapshot, topics) {
  if (snapshot.kind !== "commit") {
    const whose = snapshot.kind === "other" && snapshot.pipeline ? ` (${snapshot.pipeline})` : "";
    return [snapshot.kind_text + whose, columnsOf(snapshot), snapshot.decided.map((d) => h("small", {}, d))];
  }
  if (isUnknown(snapshot.range_count)) return "many ranges, in a file beside the snapshot";
  const sum = snapshot.ranges.reduce((a, r) => a + r.end - r.start, 0);
  const line = (r) => h("li", {}, `${topics[r.topic_id] ?? topics[r.topic_id.split(">")[0]] ?? "topic"}-${r.partition} [${count(r.start)}, ${count(r.end)})`, h("small", {}, `${plural(r.written, "row")}${r.dead ? `, ${plural(r.dead, "dead letter")}` : ""}`));
  const more = snapshot.range_count - snapshot.ranges.length;
  const list = h("ul", { class: "lines" }, snapshot.ranges.map(line), more > 0 ? h("li", {}, `and ${plural(more, "more range")}`) : null);
  if (snapshot.range_count <= 3) return list;
  return h("details", { "data-key": snapshot.snapshot_id }, h("summary", {}, `${plural(snapshot.range_count, "range")}, ${compactly(sum, "offset")}${more > 0 ? " in the first of them" : ""}`), list);
}

export function snapshots(found, rollback, table, kept) {
  const rest = found.total > found.snapshots.length ? `The newest ${count(found.snapshots.length)} of ${count(found.total)}.` : null;
  return [
    found.detached ? h("p", { class: "fault", role: "alert" }, "lakelock's newest commit is not in the branch's history: another tool rolled the table back. Recover… shows details.") : null,
    rest ? h("p", { class: "hint" }, rest) : null,
    some(found.snapshots, FIRST, (shown) =>
      grid(
        "Snapshots",
        ["Snapshot", "When", "Offsets added", "#Rows added", "#Files added", "#Size", "#Rows then", "Roll back"],
        shown.map((s) => [
          [h("span", { class: "id" }, s.snapshot_id), s.snapshot_id === found.snapshot_id ? h("span", { class: "badge" }, "newest") : null],
          at(s.timestamp_ms),
          ranges(s, found.topics),
          count(s.added_rows),
          count(s.added_files),
          bytes(s.added_bytes),
          count(s.total_rows),
          !rollback || s.snapshot_id === found.snapshot_id ? NONE : actions.button("rollback", rollback, { table, values: { to: s.snapshot_id } }, { class: "plain", "aria-label": `Roll back… to snapshot ${s.snapshot_id}` }),
        ]),
      ),
      kept,
    ),
  ];
}

function sizeLabels(edges) {
  return [...edges.map((e, i) => (i ? `${bytes(edges[i - 1])} to ${bytes(e)}` : `below ${bytes(e)}`)), `${bytes(edges.at(-1))} and more`];
}

// *answer* is the element that shows the offsets of a chosen file.
export function files(found, pipeline, table, answer, kept) {
  const { sizes } = found;
  if (!sizes.files) return h("p", { class: "quiet" }, "The newest snapshot has none.");
  const labels = sizeLabels(sizes.edges_bytes);
  const items = labels.map((label, i) => ({ label, value: sizes.spread[i], marked: i < sizes.edges_bytes.length && sizes.edges_bytes[i] <= sizes.small_below_bytes }));
  return [
    h(
      "p",
      { class: "hint" },
      h("strong", {}, plural(sizes.files, "data file")),
      `, ${bytes(sizes.size_bytes)} with ${plural(found.rows, "row")}; `,
      h("strong", {}, `${count(sizes.small)} small`),
      ` (below ${bytes(sizes.small_below_bytes)}, three quarters of the table's target size).`,
    ),
    histogram(items, { label: `Data files by size: ${items.map((i) => `${i.label} ${i.value}`).join(", ")}`, format: count }),
    h("h3", {}, "The newest ones"),
    some(found.files, FIRST, (shown) =>
      grid(
        "Newest data files",
        ["File", "#Rows", "#Size", "Partitions", "Offsets", "Exactly"],
        shown.map((f) => [
          h("span", { class: "id path", title: f.path }, f.path.slice(f.path.lastIndexOf("/") + 1)),
          count(f.rows),
          bytes(f.size_bytes),
          bounds(f.first_partition, f.last_partition),
          bounds(f.first_offset, f.last_offset),
          h("button", { type: "button", class: "plain", "aria-label": `Which offsets? In ${f.path}`, onclick: () => showFile(answer, pipeline, table, f) }, "Which offsets?"),
        ]),
      ),
      kept,
    ),
  ];
}

function bounds(first, last) {
  if (isUnknown(first) || isUnknown(last)) return NONE;
  return first === last ? count(first) : `${count(first)} to ${count(last)}`;
}

function amongThem(span) {
  if (isUnknown(span.first_offset) || isUnknown(span.last_offset)) return NONE;
  const twice = span.rows > span.distinct ? `; ${plural(span.rows - span.distinct, "row")} more than offsets: some are duplicates` : "";
  const whole = span.distinct === span.last_offset - span.first_offset + 1;
  return (whole ? "each of them" : "not all of them: others are in other files, are dead letters, or were never delivered") + twice;
}

function showFile(place, pipeline, table, file) {
  replace(place, h("p", { class: "quiet" }, "Reading the file…"));
  // It is below a list that may be longer than the window.
  place.focus();
  get(ofTable(pipeline, table, "/file"), { path: file.path })
    .then((found) =>
      replace(
        place,
        h("h3", {}, "Offsets in this file"),
        h("p", { class: "id path" }, file.path),
        grid(
          "Offsets in the file",
          ["#Partition", "#First offset", "#Last offset", "#Rows", "Between them"],
          found.offsets.map((r) => [r.partition, count(r.first_offset), count(r.last_offset), count(r.rows), amongThem(r)]),
          "The table has no columns for partition and offset.",
        ),
      ),
    )
    .catch((error) => replace(place, fault(error)))
    .finally(() => place.scrollIntoView({ block: "nearest" }));
}

export function where(pipeline, table) {
  const query = new URLSearchParams(window.location.search);
  const place = h("div", { "aria-live": "polite" });
  const field = (name, label, more) => h("label", {}, label, h("input", { name, required: true, value: query.get(name) ?? "", ...more }));
  const form = h(
    "form",
    {
      class: "row",
      onsubmit: (event) => {
        event.preventDefault();
        const sought = Object.fromEntries(new FormData(form));
        replace(place, h("p", { class: "quiet" }, "Looking…"));
        get(ofTable(pipeline, table, "/where"), sought)
          .then((found) => replace(place, described(found, sought)))
          .catch((error) => replace(place, fault(error)));
      },
    },
    field("topic", "Topic", { list: "topics", autocomplete: "off" }),
    field("partition", "Partition", { type: "number", min: 0, step: 1 }),
    field("offset", "Offset", { type: "number", min: 0, step: 1 }),
    h("button", { type: "submit", class: "main" }, "Find"),
    h("datalist", { id: "topics" }),
  );
  get(`pipelines/${encodeURIComponent(pipeline)}`)
    .then((found) => {
      const topics = [...new Set(found.sources.map(([topic]) => topic))];
      replace(form.querySelector("datalist"), topics.map((t) => h("option", { value: t })));
      const box = form.querySelector("[name=topic]");
      if (topics.length === 1 && !box.value) box.value = topics[0];
    })
    .catch(() => {
      // Suggestions are optional: a user who knows the topic can type it.
    });
  return [form, place];
}

function described(found, sought) {
  if (!found.sources.length) {
    return [h("p", {}, `The table has no partition ${sought.partition} of a topic ${sought.topic}.`), parts(found)];
  }
  return [
    found.detached ? h("p", { class: "fault", role: "alert" }, "lakelock's newest commit is not in the branch's history: the ledger shows an earlier state, not the current one.") : null,
    found.sources.map((s) =>
      h(
        "div",
        { class: "answer" },
        h("p", {}, `${sought.topic}-${sought.partition} ${sought.offset}: `, h("strong", {}, s.text), s.became_text ? `; ${s.became_text}` : null, ".", found.sources.length > 1 ? ` (Topic id ${s.topic_id}.)` : null),
        addedBy(s),
        s.since.map((step) => h("p", {}, became(step))),
      ),
    ),
    found.files.length
      ? h("div", {}, h("p", {}, found.files.length > 1 ? "It is in these files:" : "It is in this file:"), h("ul", { class: "lines" }, found.files.map((f) => h("li", { class: "id path" }, f.path))))
      : found.sources.some((s) => s.is_row) ? h("p", {}, "The file is unknown.") : null,
    parts(found),
  ];
}

function snapshotOf(found) {
  return ["snapshot ", h("span", { class: "id" }, found.snapshot_id), ` of ${at(found.timestamp_ms)} (${found.kind_text})`];
}

function addedBy(source) {
  if (!source.snapshot) return null;
  const was = `${source.at_first} was added by`;
  return h("p", {}, source.expired ? `${was} this snapshot, or by an earlier one that has expired: ` : `${was} `, snapshotOf(source.snapshot), ".");
}

// A change of a record after it was taken in.
function became(step) {
  if (!step.snapshot || step.expired) return `${step.text}, whose snapshot has expired.`;
  if (step.snapshot.kind === "rollback") return `${step.text}, but a rollback has undone this since.`;
  return [`${step.text}, with `, snapshotOf(step.snapshot), "."];
}

function parts(found) {
  if (!found.batches.length) return null;
  return [found.about_batches ? h("p", {}, found.about_batches) : null, batchesOf(found)];
}

function batchesOf(found) {
  return grid(
    "Batches with this offset",
    ["Batch", "State", "Range", "Snapshot", "Run"],
    found.batches.map((b) => [h("span", { class: "id" }, b.batch_id.slice(0, 8)), b.state, `[${count(b.start_offset)}, ${count(b.end_offset)})`, h("span", { class: "id" }, b.version_id ?? NONE), runLink(b.run, "write")]),
  );
}
