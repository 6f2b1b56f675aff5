// All pipelines and tables that the user may see, from the logs; the lag behind Kafka follows, row by row.

import { get, of } from "./api.js";
import { h, replace } from "./dom.js";
import { NONE, ago, at, bytes, compact, compactly, count, isUnknown, plural, span, time } from "./format.js";
import { airflowLink, asOf, isInUse, notes, pageLink, renew, reportAway, reportFault, tile, tiles } from "./parts.js";
import { REFRESH_MS, freshly, isAway, pauseMs } from "./patience.js";
import { sparkline } from "./plot.js";
import { counts } from "./tables.js";

const AT_ONCE = 2;
const TYPING_MS = 250;
export const HEADS = ["Table", "#Behind Kafka", "#Newest record", "#Last commit", "#On its way", "Rows, last hour", "Needs attention"];

// Notes about a whole pipeline span these columns.
const WIDE = 3;

export function newest(table, now) {
  return ago(table.newest_record_ms, now);
}

function onItsWay(table, now) {
  const staged = table.staged.parts ? `${compactly(table.staged.rows, "row")} staged, ${bytes(table.staged.size_bytes)}` : null;
  const planned = table.planned.parts ? "being written" : null;
  if (!staged && !planned) return NONE;
  const offsets = table.is_dead_letter_table ? null : h("span", {}, compactly(table.open_offsets, "offset"));
  return [offsets, h("small", {}, [staged, planned, waits(table, now), due(table)].filter(Boolean).join(", "))];
}

// For how long the oldest open part that readers wait for is open; null if there is none.
function waits(table, now) {
  const since = [table.planned.since_s, table.staged.since_s].filter((s) => !isUnknown(s));
  return since.length ? `waits ${span(Math.max(0, new Date(now) / 1000 - Math.min(...since)))}` : null;
}

// When staged parts will be committed; null if there are none.
export function due(table) {
  if (isUnknown(table.due_in_s)) return null;
  return table.due_in_s ? `commit due in ${span(table.due_in_s)}` : "commit due";
}

// A row of a table; `lag` is filled in when Kafka has answered.
export function row(pipeline, table, now) {
  const rows = table.landed.map(([n]) => n);
  const sum = rows.reduce((a, b) => a + b, 0);
  const size = table.landed.reduce((a, [, b]) => a + b, 0);
  const about = `${plural(sum, "row")} and ${bytes(size)} in the last hour`;
  const lag = h("td", { class: "number", "data-lag": table.table }, NONE);
  return h(
    "tr",
    { "data-find": `${pipeline} ${table.table}`.toLowerCase(), class: table.notes.some((n) => n.level !== "note") ? "look" : "" },
    h("th", { scope: "row" }, pageLink({ pipeline, table: table.table }, table.table), table.is_dead_letter_table ? h("small", {}, "dead letters") : null),
    lag,
    h("td", { class: "number", title: "Age of the newest record of the last batch; of a backfill or a replay only if there is no other" }, table.is_dead_letter_table ? NONE : newest(table, now)),
    h("td", { class: "number" }, ago(table.committed_at, now)),
    h("td", { class: "number two" }, onItsWay(table, now)),
    h("td", {}, h("span", { class: "pair" }, sparkline(rows, about), h("span", {}, compact(sum)))),
    h("td", { class: "notes-cell" }, notes(table.notes)),
  );
}

// What is not shown of a pipeline with many tables.
function others(p) {
  const left = p.found - p.tables.length;
  if (!left) return null;
  return h("tr", {}, h("td", { colspan: HEADS.length }, pageLink({ pipeline: p.pipeline }, `and ${plural(left, "more table")}`)));
}

function head(p) {
  const about = [plural(p.topics, "topic"), plural(p.partitions, "partition")];
  if (p.found > p.tables.length) about.push(counts(p));
  if (p.batches.length) about.push(plural(p.batches.length, "open batch", "open batches"));
  if (p.seen_at) about.push(`as it was ${at(p.seen_at)}`);
  return h(
    "tr",
    { class: "group", "data-pipeline": p.pipeline },
    h(
      "th",
      { scope: "rowgroup", colspan: HEADS.length - WIDE },
      h("span", { class: "between" },
        h("span", {}, pageLink({ pipeline: p.pipeline }, p.pipeline), p.paused ? h("span", { class: "badge" }, "paused") : null, h("small", {}, about.join(" · "))),
        h("small", { "data-retention": p.pipeline })),
    ),
    h("td", { class: "notes-cell", colspan: WIDE }, notes([...p.notes]), h("div", { "data-stop": p.pipeline })),
  );
}

// Why planning has stopped for a pipeline or a topic. Only Kafka shows it, because the log sees no fault.
function showStop(body, text) {
  replace(body.querySelector("[data-stop]"), text ? notes([stopNote(text)]) : null);
  if (text) body.dataset.look = "1";
  else if (!body.dataset.noted) delete body.dataset.look;
}

export function stopNote(text) {
  return { level: "stopped", text };
}

// Writes Kafka's answer into a pipeline's rows. *old* says why it is not current; empty if only its age is known.
export function fillLag(place, found, old = null) {
  const then = old === null ? null : `as of ${time(found.at)}`;
  for (const cell of place.querySelectorAll("td[data-lag]")) {
    const behind = found.tables[cell.dataset.lag];
    if (behind === undefined) continue;
    replace(
      cell,
      compact(behind),
      behind ? h("small", {}, found.without_age || isUnknown(found.lag_s) ? "age unknown" : `≤ ${span(found.lag_s)}`) : null,
      then ? h("small", { class: old ? "warning" : "" }, then) : null,
    );
    cell.title = `${plural(behind, "offset")} behind Kafka's last stable offset${then ? `, ${then}` : ""}`;
  }
  for (const cell of place.querySelectorAll("[data-retention]")) {
    if (old) {
      cell.className = "warning";
      cell.textContent = `Kafka's figures are ${then}: ${old}`;
      continue;
    }
    const left = found.retention_left_s;
    cell.className = left !== null && left < 3600 ? "stopped" : left !== null && left < 86400 ? "warning" : "";
    cell.textContent = left !== null
      ? `Kafka keeps the oldest unread record ${span(left)} more${found.without_retention ? "; unknown for some partitions" : ""}`
      : found.lag_offsets ? "Kafka's retention of unread records: unknown or unlimited" : "";
  }
}

class Lags {
  // Queries Kafka for visible rows, a few pipelines at once. After an error a row stays, and is queried again.
  constructor(changed) {
    this.changed = changed;
    this.stops = new Map();
    this.waiting = [];
    this.running = 0;
    this.faults = 0;
    this.quietUntil = 0;
    this.known = new Map();
    // The choice of tables, as the server takes it.
    this.query = {};
    // Errors of the last request, by pipeline.
    this.failed = new Map();
    this.watch = new IntersectionObserver((seen) => {
      for (const entry of seen) {
        if (!entry.isIntersecting) continue;
        this.watch.unobserve(entry.target);
        this.waiting.push(entry.target);
      }
      this.next();
    });
  }

  add(body) {
    this.fill(body);
    showStop(body, this.stops.get(body.dataset.name));
    this.watch.observe(body);
  }

  fill(body) {
    const known = this.known.get(body.dataset.name);
    const error = this.failed.get(body.dataset.name);
    if (known) {
      // It may have waited for another pipeline's broker, or may not have been visible.
      const isOld = Date.now() - known.takenMs > 2 * REFRESH_MS;
      fillLag(body, known.found, error ? error.message : isOld ? "" : null);
      return;
    }
    if (!error) return;
    for (const cell of body.querySelectorAll("[data-retention]")) {
      cell.className = "warning";
      cell.textContent = `Kafka was not asked: ${error.message}`;
    }
  }

  stop(body, text) {
    if (text) this.stops.set(body.dataset.name, text);
    else this.stops.delete(body.dataset.name);
    showStop(body, text);
    this.changed();
  }

  next() {
    if (Date.now() < this.quietUntil) return;
    while (this.running < AT_ONCE && this.waiting.length) {
      const body = this.waiting.shift();
      if (!body.isConnected) continue;
      this.running += 1;
      get(of(body.dataset.name, "/lag"), this.query)
        .then((found) => {
          this.faults = 0;
          this.known.set(body.dataset.name, { found, takenMs: Date.now() });
          this.failed.delete(body.dataset.name);
          this.fill(body);
          this.stop(body, found.stopped);
        })
        .catch((error) => {
          this.failed.set(body.dataset.name, error);
          this.fill(body);
          if (isAway(error)) this.later(body, error);
          else this.stop(body, error.message);
        })
        .finally(() => {
          this.running -= 1;
          this.next();
        });
    }
  }

  // One broker serves many pipelines, so none is queried while it is away.
  later(body, error) {
    this.waiting.push(body);
    const pause = pauseMs(error, this.faults);
    this.faults += 1;
    this.quietUntil = Math.max(this.quietUntil, Date.now() + pause);
    setTimeout(() => this.next(), this.quietUntil - Date.now());
  }
}

// While a log does not answer, its last answer is still shown, with its time.
export function withKept(found, before) {
  if (!before || !found.faults.length) return found;
  const silent = new Set(found.unknown);
  const kept = before.pipelines.filter((p) => silent.has(p.pipeline)).map((p) => ({ ...p, seen_at: p.seen_at ?? before.at }));
  const known = new Set(kept.map((p) => p.pipeline));
  const pipelines = [...found.pipelines, ...kept].sort((a, b) => (a.pipeline < b.pipeline ? -1 : 1));
  return { ...found, pipelines, unknown: found.unknown.filter((n) => !known.has(n)) };
}

// *stops* has, by pipeline, the reason in Kafka that stops it.
function summary(found, stops) {
  const tables = found.pipelines.flatMap((p) => p.tables);
  const rows = tables.reduce((a, t) => a + (t.is_dead_letter_table ? 0 : t.landed.reduce((b, [n]) => b + n, 0)), 0);
  const open = tables.reduce((a, t) => a + (t.is_dead_letter_table ? 0 : t.open_offsets), 0);
  const look = found.pipelines.flatMap((p) => [...p.notes, ...p.tables.flatMap((t) => t.notes)]).filter((n) => n.level !== "note");
  const known = new Set(found.pipelines.map((p) => p.pipeline));
  const ofShown = isPartial(found) ? "of the tables that are shown" : null;
  const stopped = stops.size + found.broken.length;
  return tiles(
    tile("Pipelines", count(found.pipelines.length + found.unknown.length + found.broken.filter((n) => !known.has(n)).length)),
    tile("Tables", count(found.pipelines.reduce((a, p) => a + p.table_count, 0))),
    tile("Rows in the last hour", compact(rows), ofShown),
    tile("Offsets on their way", compact(open), ofShown ?? "planned or staged, not in a table yet"),
    tile("Needs attention", count(look.length + stopped), null, stopped || look.some((n) => n.level === "stopped") ? "stopped" : look.length ? "warning" : "good"),
  );
}

// Whether there are tables that are not shown.
function isPartial(found) {
  return found.pipelines.some((p) => p.found > p.tables.length);
}

export async function overview(main) {
  const lags = new Lags(() => {
    replace(sum, summary(found, lags.stops));
    filter();
  });
  const box = h("input", { type: "search", id: "find", placeholder: "Pipeline or table", "aria-label": "Find a pipeline or table" });
  const only = h("input", { type: "checkbox", id: "only" });
  const foundText = h("p", { class: "quiet", role: "status" });
  const place = h("div", {});
  const sum = h("div", {});
  const stamp = h("span", { class: "quiet" });
  let found = null;

  const filter = () => {
    const words = box.value.trim().toLowerCase();
    let shown = 0;
    for (const body of place.querySelectorAll("tbody")) {
      const lines = body.querySelectorAll("tr[data-find]");
      // A pipeline that failed before it planned anything has no table yet.
      let any = !lines.length && body.dataset.name.toLowerCase().includes(words) && (!only.checked || Boolean(body.dataset.look));
      for (const line of lines) {
        line.hidden = !(line.dataset.find.includes(words) && (!only.checked || line.classList.contains("look") || body.dataset.look));
        any ||= !line.hidden;
        shown += !line.hidden;
      }
      body.hidden = !any;
    }
    foundText.textContent = words || only.checked ? `${plural(shown, "table")} found` : "";
  };

  const draw = () => {
    const bodies = found.pipelines.map((p) => {
      const look = p.notes.some((n) => n.level !== "note");
      const body = h("tbody", look ? { "data-look": "1", "data-noted": "1" } : {}, head(p), p.tables.map((t) => row(p.pipeline, t, found.at)), others(p));
      body.dataset.name = p.pipeline;
      // Kafka can be queried only for pipelines that their log knows.
      if (p.partitions) lags.add(body);
      return body;
    });
    replace(sum, summary(found, lags.stops));
    stamp.textContent = asOf(found);
    renew(
      place,
      found.faults.map((f) => h("p", { class: "fault", role: "alert" }, f)),
      found.broken.map((n) => h("p", { class: "fault" }, `${n} does not run: its file has errors. See `, airflowLink(`dags/ingest__${encodeURIComponent(n)}`, "its DAG"), ".")),
      bodies.length
        ? h("div", { class: "scroll all", tabindex: "0", role: "region", "aria-label": "Pipelines and tables" },
            h("table", {}, h("caption", { class: "unseen" }, "Pipelines and their tables"),
              h("thead", {}, h("tr", {}, HEADS.map((x) => h("th", { scope: "col", class: x.startsWith("#") ? "number" : "" }, x.replace("#", ""))))),
              bodies))
        : h("p", { class: "quiet" }, "No pipeline whose DAG you may read has planned a batch yet."),
      found.unknown.length ? h("p", { class: "quiet" }, found.faults.length ? "Not known to the logs that answered: " : "Nothing planned yet: ", found.unknown.map((n, i) => [i ? ", " : "", pageLink({ pipeline: n }, n)])) : null,
    );
    filter();
  };

  // The server searches if not all tables are here.
  let searched = "";
  let typing = null;
  const ask = async () => {
    const words = searched;
    const answer = await get("overview", words ? { find: words } : {});
    return { ...answer, words };
  };
  const search = () => {
    filter();
    clearTimeout(typing);
    const words = box.value.trim();
    if (!found || words === searched || (!searched && !isPartial(found))) return;
    typing = setTimeout(async () => {
      searched = words;
      lags.query = words ? { find: words, in_pipelines: true } : {};
      try {
        const answer = await ask();
        if (answer.words !== searched) return;
        found = withKept(answer, null);
        draw();
      } catch (error) {
        reportFault(error);
      }
    }, TYPING_MS);
  };

  // Not while the user works with it.
  const inUse = () => isInUse(place);
  const show = (answer) => {
    const isFirst = found === null;
    if (answer.words !== searched) return;
    found = withKept(answer, found);
    if (!isFirst && inUse()) return;
    draw();
    if (!isFirst) return;
    replace(
      main,
      h("h1", { class: "unseen" }, "Pipelines"),
      sum,
      h("p", { class: "tools" }, box, h("label", {}, only, " only what needs attention"), foundText, stamp),
      place,
    );
  };
  box.addEventListener("input", search);
  only.addEventListener("change", filter);
  await freshly(ask, { report: reportAway, show, failed: reportFault, isInUse: inUse });
}
