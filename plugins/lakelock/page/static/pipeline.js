// One pipeline: its lag, its tables, its open batches, and the runs and actions of its DAGs.

import * as actions from "./actions.js";
import { get, of, runPath } from "./api.js";
import { h, replace } from "./dom.js";
import { NONE, ago, at, compact, count, isUnknown, plural, since, span, time } from "./format.js";
import { HEADS, fillLag, row, stopNote } from "./overview.js";
import { airflowLink, asOf, away, drawing, fault, grid, inTile, notes, otherLink, renew, runLink, section, some, reportAway, reportFault, tile, tiles } from "./parts.js";
import { freshly } from "./patience.js";
import { strip } from "./plot.js";
import { choosing } from "./tables.js";

const FIRST = 20;

// Buttons of a pipeline, or of one *table* of it; *maintained* are tables that a maintenance run can select, *named* those of
// the pipeline file. If it has *routed* ones, there are others too, whose names are written.
export function buttons(dags, { pipeline, named, maintained, routed }, table, isDeadLetterTable = false) {
  const of = Object.fromEntries(dags.map((d) => [d.kind, d]));
  return h(
    "p",
    { class: "buttons" },
    actions.button("ingest", of.ingest),
    table && !isDeadLetterTable ? actions.button("rollback", of.rollback, { table }) : null,
    isDeadLetterTable ? null : actions.button("backfill", of.backfill, { table }),
    actions.button("maintain", of.maintain, { table, tables: maintained, routed }),
    table && !named.includes(table) ? null : actions.button("apply", of.recover, { pipeline, table, tables: named, routed }),
    table && routed && !named.includes(table) && !isDeadLetterTable ? actions.button("retire", of.recover, { table }) : null,
    actions.button("recover", of.recover),
  );
}

function tables(found) {
  const body = h("tbody", {}, found.tables.map((t) => row(found.pipeline, t, found.at)));
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": "Tables" },
    h("table", {}, h("caption", { class: "unseen" }, "Tables"),
      h("thead", {}, h("tr", {}, HEADS.map((x) => h("th", { scope: "col", class: x.startsWith("#") ? "number" : "" }, x.replace("#", ""))))),
      body),
  );
}

function batches(list) {
  return grid(
    "Open batches",
    ["Batch", "State", "Offsets", "Run that holds it", "#Planned", "#Last heartbeat", "Progress, or why it is open again"],
    list.map((b) => [
      h("span", { class: "id" }, b.batch_id.slice(0, 8)),
      [b.state === "staged" ? `staged for ${plural(b.staged_parts, "table")}` : b.state, b.is_closed ? null : h("small", {}, "its tables are not known yet")],
      [plural(b.offsets, "offset"), h("small", {}, b.ranges.join(", "))],
      runLink(b.run, "write"),
      since(b.age_s),
      since(b.silent_s),
      b.progress || b.reason,
    ]),
    "None: all planned records are in the tables.",
  );
}

function run(dagId, r) {
  const path = runPath(`${dagId}/${r.run_id}`);
  const title = `${r.run_id}, ${at(r.run_after)}`;
  return r.asks
    ? airflowLink(`${path}/required_actions`, "waits for an answer", { class: "run asks", title })
    : airflowLink(path, r.state, { class: `run ${r.state}`, title });
}

function dags(found) {
  return grid(
    "DAGs",
    ["DAG", "Last runs", "Next run"],
    found.dags.map((d) => [
      [airflowLink(`dags/${encodeURIComponent(d.dag_id)}`, d.dag_id), d.stale ? h("span", { class: "badge" }, "its file is gone") : d.paused ? h("span", { class: "badge" }, "paused") : null],
      d.runs.length
        ? h("span", { class: "runs" }, d.runs.map((r) => run(d.dag_id, r)))
        : "none yet",
      d.next_run_after ? at(d.next_run_after) : d.stale || d.kind === "ingest" ? NONE : "when it is triggered",
    ]),
  );
}

// From the log: offsets per partition that are planned and not in every table.
function byLog(found, kept) {
  const open = found.sources.map(([, , start, next, reached]) => Math.max(0, next - (reached ?? start)));
  const rows = found.sources.map((s, i) => [...s, open[i]]).sort((a, b) => b[5] - a[5]);
  return partitions(
    open,
    found.sources,
    ["offset on its way", "offsets on their way"],
    ["Topic", "#Partition", "#Begins at", "#Planned up to", "#In all tables up to", "#On their way"],
    rows.map(([topic, partition, ...n]) => [topic, partition, ...n.map(count)]),
    kept,
  );
}

function byKafka(found, kept) {
  const lag = found.sources.map((s) => s[5]);
  const rows = [...found.sources].sort((a, b) => b[5] - a[5]);
  return [...cut(found, kept), ...partitions(
    lag,
    found.sources,
    ["offset behind", "offsets behind"],
    ["Topic", "#Partition", "#Kafka has from", "#up to", "#In all tables up to", "#Behind", "#Oldest unread", "#Kafka keeps it"],
    rows.map(([topic, partition, low, end, reached, behind, age, left]) => [
      topic,
      partition,
      count(low),
      count(end),
      count(reached),
      count(behind),
      // Without unread records there is no age.
      behind && isUnknown(age) ? "age unknown" : span(age),
      behind && isUnknown(left) ? "unknown or unlimited" : span(left),
    ]),
    kept,
  )];
}

// What all tables of a pipeline with routes have, and the tables that are behind that.
function cut({ cut: found }, kept) {
  if (!found) return [];
  const rows = found.behind.map(([table, offsets, first, age, left]) => [
    table,
    count(offsets),
    first,
    isUnknown(age) ? "age unknown" : span(age),
    isUnknown(left) ? "unknown or unlimited" : span(left),
  ]);
  const heads = ["Table", "#May lack", "From", "#Oldest unread", "#Kafka keeps it"];
  return [
    h("p", {}, `Consistent cut, ${found.line}.`),
    rows.length ? some(rows, FIRST, (shown) => grid("Tables behind the cut", heads, shown, "None."), kept) : null,
  ];
}

function partitions(values, sources, what, heads, rows, kept) {
  const sum = values.reduce((a, b) => a + b, 0);
  const label = `${plural(sum, ...what)} in ${plural(values.length, "partition")}`;
  return [
    values.length > 1 && sum > 0
      ? h("figure", {}, strip(values, { label, titles: sources.map(([t, p]) => `${t}-${p}`), format: count }), h("figcaption", {}, `${label}; darker means more`))
      : null,
    some(rows, FIRST, (shown) => grid("Partitions", heads, shown, "None yet."), kept),
  ];
}

function oldestUnread(lag) {
  if (lag.lag_offsets === 0) return "nothing left to read";
  if (lag.without_age) return `age unknown in ${plural(lag.without_age, "partition")}`;
  if (isUnknown(lag.lag_s)) return "age unknown";
  return `oldest record ${span(lag.lag_s)}`;
}

function retention(lag) {
  if (lag.lag_offsets === 0) return "nothing left to read";
  if (lag.retention_left_s === null) return "or retention is unlimited";
  return `then retention deletes it${lag.without_retention ? `; unknown or unlimited in ${plural(lag.without_retention, "partition")}` : ""}`;
}

function nextMaintenance(dag) {
  const label = "Next maintenance";
  // Nothing is known of a DAG that the user may not see.
  if (!dag) return tile(label, NONE, "Airflow has no such DAG, or you may not read it");
  if (dag.stale) return tile(label, NONE, "its DAG file is gone");
  return dag.next_run_after ? tile(label, at(dag.next_run_after)) : tile(label, "when triggered", "maintenance.every is not set");
}

export function tablesOf({ pipeline, named, maintained, routed }) {
  return { pipeline, named, maintained, routed };
}

// Redrawn only if its actions changed, so that a focused button keeps the focus.
export function head(title, about) {
  const place = h("div", { class: "head" });
  let last = null;
  return [
    place,
    (dags, ...of) => {
      const now = JSON.stringify([dags.map((d) => [d.dag_id, d.paused, d.may_run]), of]);
      if (now === last) return;
      if (renew(place, h("h1", {}, title, about ? h("small", {}, about) : null), buttons(dags, ...of))) last = now;
    },
  ];
}

export function part() {
  return h("div", { class: "part" });
}

export async function pipeline(main, name) {
  const lagTile = h("div", { class: "tile" }, inTile("Behind Kafka", "…"));
  const leftTile = h("div", { class: "tile" }, inTile("Kafka keeps the oldest unread", "…"));
  const kafka = h("div", { "aria-busy": "true" });
  const status = h("div", { role: "status" });
  const [top, renewTop] = head(name);
  const [noted, sums, stamp, list, open, dagsOf, fences, decisions] = Array.from({ length: 8 }, part);
  const retired = h("p", { class: "hint" });
  const kept = {};
  const [byLogs, byKafkas] = [drawing(), drawing()];
  let found = null;
  let lag = null;
  let silence = null;
  let asked = 0;

  // Another choice of tables is shown as soon as it is there; their lag follows.
  const choose = async () => {
    asked += 1;
    const mine = asked;
    try {
      const answer = await get(of(name, "/tables"), chosen.query());
      if (mine !== asked) return;
      reportAway(null);
      showTables(answer);
      const behind = await get(of(name, "/lag"), chosen.query());
      if (mine === asked) showLag(behind);
    } catch (error) {
      if (mine === asked) reportFault(error);
    }
  };
  const chosen = choosing(choose);
  // An answer to an earlier choice is too late.
  const ask = async (rest) => {
    const mine = asked;
    const answer = await get(of(name, rest), chosen.query());
    return { ...answer, isLate: mine !== asked };
  };
  const showTables = (answer) => {
    found = { ...found, ...answer };
    byLogs.draw(list, found.at, tables(found));
    chosen.show(found);
    if (lag) fillLag(list, lag, silence ? silence.message : null);
  };
  const silent = (error) => {
    replace(status, error ? away(error) : null);
    silence = error;
    // Kafka's last answer stays, with its time.
    if (error && lag) {
      const then = `as of ${time(lag.at)}, no answer since`;
      replace(lagTile, inTile("Behind Kafka", compact(lag.lag_offsets), then));
      replace(leftTile, inTile("Kafka keeps the oldest unread", isUnknown(lag.retention_left_s) ? NONE : span(lag.retention_left_s), then));
      fillLag(list, lag, error.message);
    } else if (error) {
      replace(lagTile, inTile("Behind Kafka", NONE, "Kafka was not asked"));
      replace(leftTile, inTile("Kafka keeps the oldest unread", NONE));
    }
  };
  const showNotes = () => byLogs.draw(noted, found.at, notes([...(lag?.stopped ? [stopNote(lag.stopped)] : []), ...found.notes]));
  const showStamp = () => renew(stamp, h("p", { class: "hint" }, asOf({ at: byLogs.oldest() }), lag ? ` Kafka: ${at(byKafkas.oldest() ?? lag.at)}.` : null));
  const showLag = (answer) => {
    lag = answer;
    silence = null;
    kafka.removeAttribute("aria-busy");
    replace(lagTile, inTile("Behind Kafka", compact(lag.lag_offsets), oldestUnread(lag)));
    const left = lag.retention_left_s;
    const known = lag.lag_offsets === 0 || lag.without_retention === 0;
    leftTile.className = `tile ${isUnknown(left) ? "" : left < 3600 ? "stopped" : left < 86400 ? "warning" : known ? "good" : ""}`;
    replace(leftTile, inTile("Kafka keeps the oldest unread", !isUnknown(left) ? span(left) : known ? NONE : "unknown", retention(lag)));
    fillLag(list, lag);
    if (byKafkas.draw(kafka, lag.at, byKafka(lag, kept))) byLogs.forget(kafka);
    showNotes();
    showStamp();
  };
  const show = (answer) => {
    const isLate = found !== null && answer.isLate;
    found = isLate ? { ...answer, tables: found.tables, found: found.found } : answer;
    const waiting = found.sources.reduce((a, [, , start, to, reached]) => a + Math.max(0, to - (reached ?? start)), 0);
    renewTop(found.dags, tablesOf(found));
    showNotes();
    byLogs.draw(
      sums,
      found.at,
      tiles(
        lagTile,
        leftTile,
        tile("Offsets on their way", compact(waiting), "planned, not in all tables"),
        tile("Last batch planned", ago(found.planned_at, found.at)),
        nextMaintenance(found.dags.find((d) => d.kind === "maintain")),
      ),
    );
    if (!isLate) showTables(answer);
    if (!lag) byLogs.draw(kafka, found.at, byLog(found, kept));
    byLogs.draw(open, found.at, batches(found.batches));
    retired.textContent = found.retired ? `${plural(found.retired, "partition")} retired and not shown.` : "";
    byLogs.draw(dagsOf, found.at, dags(found), found.spark_ui ? h("p", { class: "hint" }, otherLink(found.spark_ui, "Spark's UI"), " shows the jobs of their tasks.") : null);
    byLogs.draw(
      fences,
      found.at,
      grid(
        "Fences",
        ["Batch", "Fenced run", "When", "Run that took over"],
        found.fences.map((f) => [h("span", { class: "id" }, f.batch_id.slice(0, 8)), runLink(f.run, "write"), at(f.ended_at), runLink(f.next_run, "write")]),
        "None.",
      ),
    );
    byLogs.draw(decisions, found.at, found.decisions.length ? section("Decisions", null, h("ul", { class: "lines" }, found.decisions.map((d) => h("li", {}, `${d.table}: ${d.line}`)))) : null);
    showStamp();
  };

  await freshly(() => ask(""), { report: reportAway, show, failed: reportFault });
  replace(
    main,
    top,
    noted,
    sums,
    stamp,
    section("Tables", null, chosen.tools, list, chosen.pager),
    section("Open batches", null, open),
    section("Partitions", null, retired, status, kafka),
    section("DAGs", "Each run's page in Airflow has its logs.", dagsOf),
    section(
      "Fenced attempts",
      "A task was killed, or was cleared while it ran, and a newer attempt took over its batch. The old attempt can no longer change anything.",
      fences,
    ),
    decisions,
  );
  const failed = (error) => {
    silent(error);
    replace(status, fault(error));
  };
  freshly(() => ask("/lag"), { report: silent, show: showLag, failed })
    .catch(failed)
    .finally(() => kafka.removeAttribute("aria-busy"));
}
