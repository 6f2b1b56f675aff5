// Buttons that start runs of a pipeline's DAGs through Airflow's API, each after a question.

import { newRunId, runPath, startRun } from "./api.js";
import { h, replace } from "./dom.js";
import { airflowLink, fault } from "./parts.js";

const MODES = {
  recommit: "recommit: the next commit adds the same files again (another tool damaged the table)",
  replay: "replay: the records are read from Kafka again, with today's pipeline file (rows were converted wrongly)",
  skip: "skip: the rows stay out until a backfill asks for them (they do not belong there)",
};
const BACKFILLS = {
  fill: "fill: load records that the table does not have (older than its start, left out by a rollback, declared as lost)",
  replace: "replace: read records again and swap their rows (a column, a cast or a time zone was changed)",
};

export function button(text, dag, open, properties = {}) {
  const why =
    dag === undefined ? "Airflow has no such DAG, or you may not read it"
    : dag.stale ? "Its DAG file is gone: Airflow starts no runs of it"
    : dag.may_run ? null : "Airflow does not let you start its runs";
  return h("button", { type: "button", disabled: why !== null, title: why, onclick: () => open(dag), ...properties }, text);
}

// *refusal* is why what the form has cannot be asked for, where it cannot; *same* how Airflow's own form says the same.
function ask(title, about, dag, fields, conf, sent, refusal = () => null, same = "with the same fields") {
  const told = h("div", { "aria-live": "polite" });
  const runId = newRunId();
  const go = h("button", { type: "submit", class: "main" }, "Start the run");
  const close = h("button", { type: "button", class: "plain", onclick: () => box.close() }, "Cancel");
  const form = h(
    "form",
    {
      onsubmit: async (event) => {
        event.preventDefault();
        const data = new FormData(form);
        const why = refusal(data);
        if (why) {
          replace(told, fault(new Error(why)));
          return;
        }
        go.disabled = true;
        try {
          const run = await startRun(dag.dag_id, conf(data), runId);
          const path = `${runPath(`${dag.dag_id}/${run.dag_run_id}`)}${sent.path}`;
          replace(told, h("p", { class: "done" }, `${sent.text} `, airflowLink(path, "Go to the run")));
          close.textContent = "Close";
        } catch (error) {
          go.disabled = false;
          replace(told, fault(error));
        }
      },
    },
    fields,
    h("p", { class: "hint" }, `Airflow's own Trigger on ${dag.dag_id} does the same, ${same}.`),
    dag.paused ? h("p", { class: "hint" }, `${dag.dag_id} is paused: the run waits until it is not.`) : null,
    told,
    h("p", { class: "buttons" }, go, close),
  );
  const box = h("dialog", { "aria-label": title, onclose: () => box.remove() }, h("h2", {}, title), h("p", {}, about), form);
  document.body.append(box);
  box.showModal();
}

const ASKED = { text: "The run has started. It shows a preview and waits for an approval.", path: "/required_actions" };

// What Kafka has of dead letters are records of other tables: there is nothing to read again.
export function rollBack(dag, table, isLetters, to = "last:1") {
  const offered = Object.fromEntries(Object.entries(MODES).filter(([mode]) => !(isLetters && mode === "replay")));
  ask(
    `Roll back ${table}`,
    "The run shows a preview and waits for an approval. The pipeline keeps running.",
    dag,
    [
      h("label", {}, "Back to", h("input", { name: "to", required: true, value: to })),
      h("p", { class: "hint" }, "A snapshot id, a time with its zone like 2026-01-31T12:00:00Z, or last:N for the state before the last N commits."),
      modes("The removed rows", offered),
      h("label", {}, "Why", h("input", { name: "why", required: true, maxlength: 500 })),
      h("p", { class: "hint" }, "Recorded in the table with your name."),
    ],
    (data) => ({ table, to: written(data, "to"), mode: data.get("mode"), why: data.get("why") }),
    ASKED,
    (data) => {
      const wanted = written(data, "to");
      return /^(\d+|last:[1-9]\d*)$/.test(wanted) ? null : noMoment("Back to", wanted);
    },
  );
}

export function backfill(dag, table) {
  ask(
    `Backfill ${table ?? "all tables"}`,
    "Loads the records of a time range from Kafka, each exactly once. The pipeline keeps running.",
    dag,
    [
      modes("Mode", BACKFILLS, "fill"),
      h("label", {}, "From", moment("from")),
      h("label", {}, "To", moment("to")),
      h("p", { class: "hint" }, "Times with their zone, like 2026-01-31T12:00:00Z. To is exclusive. For a long time range, open this DAG in Airflow and choose Trigger, Backfill: one run per hour. In that form, tick Override parameters on existing runs, or Airflow ignores its fields and the runs fail without a change."),
      h("label", {}, "Why", h("input", { name: "why", required: true, maxlength: 500 })),
      h("p", { class: "hint" }, "Recorded in the table with your name."),
      h("label", { class: "choice" }, h("input", { type: "checkbox", name: "dry_run" }), "Only log what would be done"),
    ],
    (data) => ({
      mode: data.get("mode"),
      ...(table === undefined ? {} : { table }),
      from: written(data, "from"),
      to: written(data, "to"),
      why: data.get("why"),
      dry_run: data.get("dry_run") !== null,
    }),
    { text: "The run has started; its task ask says what it will do.", path: "" },
    (data) => {
      const [from, to] = ["from", "to"].map((name) => written(data, name));
      return noMoment("From", from) ?? noMoment("To", to) ?? (new Date(from) < new Date(to) ? null : "From must be before To.");
    },
  );
}

function modes(legend, texts, chosen) {
  const input = (mode) => h("input", { type: "radio", name: "mode", value: mode, required: true, checked: mode === chosen });
  return h("fieldset", {}, h("legend", {}, legend), Object.entries(texts).map(([mode, text]) => h("label", { class: "choice" }, input(mode), text)));
}

function moment(name) {
  return h("input", { name, required: true });
}

// As Airflow takes a time: people write a space where it wants a T.
function written(data, name) {
  return data.get(name).trim().replace(/^(\d{4}-\d\d-\d\d) +(?=\d)/, "$1T");
}

// Why a text is no moment that is one everywhere; null where it is.
function noMoment(label, text) {
  const found = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/.exec(text);
  if (!found || Number.isNaN(Date.parse(text))) return `${label}: ${text} is no time like 2026-01-31T12:00:00Z.`;
  return found[1] ? null : `${label}: ${text} names no zone: write ${text}Z for UTC.`;
}

export function commitNow(dag) {
  ask(
    "Run now, and commit",
    "Starts a run that reads what Kafka has and commits all that is staged, without waiting for commit.min_bytes or commit.max_latency.",
    dag,
    [],
    () => ({ commit_now: true }),
    { text: "The run has started.", path: "" },
    () => null,
    "with Commit now on; that form has further fields",
  );
}

export function maintain(dag, tables, table) {
  const one = (name) => h("option", { value: name, selected: name === table }, name);
  ask(
    "Run maintenance",
    "Rewrites small files, expires old snapshots, rewrites manifests, deletes files of lost attempts, and audits. Where nothing is due nothing is changed.",
    dag,
    [
      h("label", {}, "Table", h("select", { name: "table" }, h("option", { value: "" }, "all tables"), tables.map(one))),
      h("label", { class: "choice" }, h("input", { type: "checkbox", name: "dry_run" }), "Only log what would be done"),
    ],
    (data) => ({ ...(data.get("table") ? { table: data.get("table") } : {}), dry_run: data.get("dry_run") !== null }),
    { text: "The run has started; its tasks say what they do.", path: "" },
  );
}

export function redrive(dag, table) {
  ask(
    `Redrive dead letters of ${table ?? "all tables"}`,
    "Dead letters that fit the table by now, after its columns or the pipeline file were mended, become rows of it. They stay in the dead-letter table and keep why they failed. The run tries some, shows what it found, and asks before it changes anything.",
    dag,
    [
      h("label", {}, "Reason", h("input", { name: "reason", maxlength: 500 })),
      h("p", { class: "hint" }, "Only those whose reason has this text. Empty: any."),
      h("label", {}, "Why", h("input", { name: "why", required: true, maxlength: 500 })),
      h("p", { class: "hint" }, "Recorded in the table with your name."),
    ],
    (data) => ({
      decision: "redrive",
      ...(table === undefined ? {} : { table }),
      ...(data.get("reason").trim() ? { reason: data.get("reason").trim() } : {}),
      why: data.get("why"),
    }),
    ASKED,
  );
}

export function recover(dag) {
  ask(
    "Look for what must be recovered",
    "The run tells what does not fit together between tables, log and Kafka, and asks before it changes anything. Where all is well it ends by itself.",
    dag,
    [],
    () => ({}),
    ASKED,
    () => null,
    "with its form left as it is",
  );
}
