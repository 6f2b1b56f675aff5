// One table: its recent rows, snapshots, files and dead letters, and the search for an offset.

import * as actions from "./actions.js";
import { get, of, ofTable } from "./api.js";
import { h, replace } from "./dom.js";
import { NONE, ago, at, between, bytes, compact, count, isUnknown, plural, span, time } from "./format.js";
import { due, newest } from "./overview.js";
import { snapshots, files, where } from "./offsets.js";
import { asOf, drawing, grid, inTile, later, notes, pageLink, renew, runLink, section, some, reportAway, reportFault, tile, tiles } from "./parts.js";
import { freshly } from "./patience.js";
import { head, part, tablesOf } from "./pipeline.js";
import { bars, ceiling } from "./plot.js";
import { definition, reading, rows } from "./schema.js";

const FIRST = 10;
// The target of dead letters that no table is known for.
const NO_TABLE = "*";

function over(list) {
  const oldest = [...list].reverse();
  const about = (b) => `${at(b.committed_at)}: ${plural(b.rows, "row")}, ${bytes(b.size_bytes)}, ${plural(b.files, "file")}${b.dead_letters ? `, ${plural(b.dead_letters, "dead letter")}` : ""}`;
  const rows = oldest.map((b) => ({ value: b.rows, second: b.dead_letters, at: new Date(b.committed_at), title: about(b) }));
  const sizes = oldest.map((b) => ({ value: b.size_bytes, at: new Date(b.committed_at), title: about(b) }));
  const since = oldest.length ? `the last ${plural(oldest.length, "batch", "batches")}, since ${at(oldest[0].committed_at)}` : "";
  return h(
    "div",
    { class: "plots" },
    h("figure", {}, h("figcaption", {}, "Rows per batch", oldest.some((b) => b.dead_letters) ? [" and ", h("span", { class: "key" }, "dead letters")] : null, cut(rows, compact, 1000)), bars(rows, { label: `Rows per batch, ${since}${cut(rows, compact, 1000)}`, format: compact })),
    h("figure", {}, h("figcaption", {}, "Bytes per batch", cut(sizes, bytes, 1024)), bars(sizes, { label: `Bytes per batch, ${since}${cut(sizes, bytes, 1024)}`, format: bytes, base: 1024 })),
  );
}

// A plot's note about bars that are cut off.
function cut(items, format, base) {
  const most = ceiling(items, base);
  const taller = most === null ? [] : items.map((i) => i.value + (i.second ?? 0)).filter((v) => v > most);
  if (!taller.length) return "";
  const top = format(Math.max(...taller));
  return taller.length === 1 ? `; 1 bar is cut off (▲): ${top}` : `; ${count(taller.length)} bars are cut off (▲), the tallest: ${top}`;
}

function batches(list, kept) {
  if (!list.length) return h("p", { class: "quiet" }, "None whose details are kept.");
  return [
    over(list),
    some(list, FIRST, (shown) =>
      grid(
        "Committed batches",
        ["Committed", "#Rows", "#Dead letters", "#Files", "#Size", "#From plan to commit", "Snapshot", "Written by"],
        shown.map((b) => [
          at(b.committed_at),
          count(b.rows),
          b.dead_letters ? h("strong", { class: "warning" }, count(b.dead_letters)) : count(b.dead_letters),
          count(b.files),
          bytes(b.size_bytes),
          span(between(b.planned_at, b.committed_at)),
          h("span", { class: "id" }, b.version_id ?? NONE),
          runLink(b.run, "write"),
        ]),
      ),
      kept,
    ),
  ];
}

const ABSENT = {
  requested: "will be loaded by a backfill",
  skipped: "was left out by a rollback",
  accepted_loss: "was declared as lost",
  retired: "was declared as not to be read",
};

function absent(found) {
  const more = found.absent_count - found.absent.length;
  return h(
    "ul",
    { class: "lines" },
    found.absent.map((a) => h("li", {}, `${a.range} ${ABSENT[a.why]}`)),
    more ? h("li", {}, `and ${plural(more, "more range")}`) : null,
  );
}

// Dead letters of one table; on the dead-letter table's page (*isDeadLetterTable*) those of all tables that it serves, with
// links.
function deadLetters(found, recover, pipeline, name, isDeadLetterTable) {
  if (!found.causes.length) {
    const all = found.files_read === found.files;
    return h("p", { class: "quiet" }, all ? "None." : `None in the newest ${count(found.files_read)} of ${count(found.files)} files.`);
  }
  const read = found.files_read < found.files ? ` Of the newest ${count(found.files_read)} of ${count(found.files)} files.` : "";
  return [
    h("p", { class: "buttons" }, actions.button("redrive", recover, { table: isDeadLetterTable ? undefined : name })),
    h("p", { class: "hint" }, `In ${found.table}.${read}${found.redriven ? ` ${found.redriven === 1 ? "1 of all became a row since; it keeps" : `${count(found.redriven)} of all became rows since; they keep`} why ${found.redriven === 1 ? "it" : "they"} failed.` : ""}`),
    found.hidden
      ? [
          byTable(isDeadLetterTable, pipeline, "Causes", ["Kind", "Stage", "#Open", "#Redriven", "Newest record"], found.causes, (c) => [c.kind, c.stage, count(c.count - c.redriven), count(c.redriven), at(c.newest_ms)]),
          h("p", { class: "hint" }, "To see fields, reasons and records, you need the right to read the logs of the DAG's tasks."),
        ]
      : causes(found, pipeline, isDeadLetterTable),
  ];
}

// A grid whose rows begin with their table's name if several tables are shown.
function byTable(isShown, pipeline, caption, heads, list, cells) {
  const of = (x) => (isShown ? [x.target === NO_TABLE ? "no table" : pageLink({ pipeline, table: x.target }, x.target)] : []);
  return grid(caption, [...(isShown ? ["Table"] : []), ...heads], list.map((x) => [...of(x), ...cells(x)]));
}

function causes(found, pipeline, isDeadLetterTable) {
  return [
    byTable(
      isDeadLetterTable,
      pipeline,
      "Causes",
      ["Cause", "Example", "Stage", "#Open", "#Redriven", "Newest record"],
      found.causes,
      (c) => [isUnknown(c.field) ? c.kind : [h("code", {}, c.field), `: ${c.kind}`], c.example, c.stage, count(c.count - c.redriven), count(c.redriven), at(c.newest_ms)],
    ),
    h("h3", {}, "The newest ones"),
    byTable(
      isDeadLetterTable,
      pipeline,
      "Newest dead letters",
      ["Partition", "#Offset", "Time", "Reason", "Value"],
      found.sample,
      (s) => [
        `${s.topic}-${s.partition}`,
        count(s.offset),
        at(s.timestamp_ms),
        s.redriven ? h("span", {}, s.reason, " ", h("small", {}, "redriven")) : s.reason,
        isUnknown(s.value) ? (isUnknown(s.value_bytes) ? "no value" : NONE) : [h("code", {}, s.value, s.is_whole ? "" : "…"), s.codec ? h("small", {}, `was compressed: ${s.codec}`) : ""],
      ],
    ),
  ];
}

export async function table(main, pipeline, name) {
  const ask = async () => {
    const [found, dags] = await Promise.all([get(ofTable(pipeline, name)), get(of(pipeline, "/dags"))]);
    return { ...found, ...dags };
  };
  const kept = { batches: {}, snapshots: {}, files: {}, columns: {} };
  const [noted, sums, stamp, landed, missing, decisions, rollbacks, programs] = Array.from({ length: 8 }, part);
  const rowsTile = h("div", { class: "tile" }, inTile("Rows", NONE, "in the newest snapshot"));
  const shown = drawing();
  let first = null;
  let top = null;
  let renewTop = null;

  const show = (found) => {
    if (!first) {
      first = found;
      [top, renewTop] = head(name, found.is_dead_letter_table ? "dead letters" : null);
    }
    renewTop(found.dags, tablesOf(found), name, found.is_dead_letter_table);
    shown.draw(noted, found.at, notes([...found.notes, ...(found.rollback ? [{ level: "note", text: `last rolled back ${found.rollback}` }] : [])]));
    shown.draw(
      sums,
      found.at,
      tiles(
        rowsTile,
        found.is_dead_letter_table ? null : tile("Newest record", newest(found, found.at), "of the last batch with new records"),
        found.is_dead_letter_table ? null : tile("Valid through", isUnknown(found.valid_through_ms) ? NONE : time(found.valid_through_ms), "the table has every record with an earlier timestamp"),
        tile("Last commit", ago(found.committed_at, found.at)),
        found.is_dead_letter_table ? null : tile("On its way", compact(found.open_offsets), `${found.open_offsets === 1 ? "offset" : "offsets"} planned or staged`),
        tile("Staged", compact(found.staged.rows), [found.staged.rows === 1 ? "row" : "rows", found.staged.parts ? bytes(found.staged.size_bytes) : null, due(found)].filter(Boolean).join(", ")),
        tile("Rows by the ledger", compact(found.written), found.generation ? `generation ${found.generation}: it counts rollbacks and recoveries` : null),
        found.is_dead_letter_table ? null : tile("Dead letters", compact(found.dead), found.redriven ? `and ${compact(found.redriven)} redriven` : null, isUnknown(found.dead) ? null : found.dead ? "warning" : "good"),
      ),
    );
    shown.draw(landed, found.at, batches(found.batches, kept.batches));
    shown.draw(missing, found.at, found.absent.length ? section("Not in the table", `Offsets that no scheduled run loads, as of the last commit. Backfill… loads them, as far as Kafka has them.`, absent(found)) : null);
    shown.draw(decisions, found.at, found.decisions.length ? section("Decisions", null, h("ul", { class: "lines" }, found.decisions.map((d) => h("li", {}, d)))) : null);
    renew(stamp, h("p", { class: "hint" }, asOf({ at: shown.oldest() })));
  };
  // Facts from the table itself, next to its snapshots.
  const ofSnapshots = (found) => {
    const head = found.snapshots.find((s) => s.snapshot_id === found.snapshot_id);
    replace(rowsTile, inTile("Rows", compact(head?.total_rows), `in the newest snapshot, as of ${time(found.at)}`));
    renew(
      rollbacks,
      found.rollbacks.length
        ? section("Rollbacks", "Newest first, as far as the table keeps their snapshots.", h("ul", { class: "lines" }, found.rollbacks.map((r) => h("li", {}, `${at(r.timestamp_ms)}: ${r.line}`))))
        : null,
    );
  };

  await freshly(ask, { report: reportAway, show, failed: reportFault });
  const ofThisTable = (what) => () => get(ofTable(pipeline, name, `/${what}`));
  const rollback = first.dags.find((d) => d.kind === "rollback");
  const recover = first.dags.find((d) => d.kind === "recover");
  const answer = h("div", { class: "answer", "aria-live": "polite", tabindex: "-1" });
  replace(
    main,
    top,
    noted,
    sums,
    stamp,
    missing,
    section("Batches over time", null, landed),
    later("Snapshots", "Newest first, read from the table.", ofThisTable("snapshots"), (s) => {
      ofSnapshots(s);
      return snapshots(s, first.is_dead_letter_table ? null : rollback, name, kept.snapshots);
    }),
    first.is_dead_letter_table ? null : section("Where is an offset?", null, where(pipeline, name)),
    later("Files", null, ofThisTable("files"), (f) => files(f, pipeline, name, answer, kept.files), answer),
    later("Dead letters", first.is_dead_letter_table ? "Of all tables of the pipeline, by cause." : null, ofThisTable("dead-letters"), (x) => deadLetters(x, recover, pipeline, name, first.is_dead_letter_table)),
    later("Columns", null, ofThisTable("definition"), (d) => {
      renew(programs, section("Read it elsewhere", "Programs for this table, in Python 3.", reading(d)));
      return definition(d, kept.columns);
    }),
    later("Sample rows", null, ofThisTable("rows"), rows),
    programs,
    decisions,
    rollbacks,
  );
}
