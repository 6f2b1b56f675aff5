// Buttons that start runs of a pipeline's DAGs through Airflow's API, after a confirmation.

import { newRunId, runPath, startRun } from "./api.js";
import { h, replace } from "./dom.js";
import { FORMS } from "./forms.js";
import { airflowLink, fault } from "./parts.js";

export function button(text, dag, open, properties = {}) {
  const why =
    dag === undefined ? "Airflow has no such DAG, or you may not read it"
    : dag.stale ? "Its DAG file is gone: Airflow starts no runs of it"
    : dag.may_run ? null : "Airflow does not let you start its runs";
  return h("button", { type: "button", disabled: why !== null, title: why, onclick: () => open(dag), ...properties }, text);
}

// *refusal* returns why the form cannot be sent, or null; *same* says how Airflow's own form does the same.
function ask(title, about, dag, fields, conf, sent, refusal = () => null, same = "with the same fields") {
  const outcome = h("div", { "aria-live": "polite" });
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
          replace(outcome, fault(new Error(why)));
          return;
        }
        go.disabled = true;
        try {
          const run = await startRun(dag.dag_id, conf(data), runId);
          const path = `${runPath(`${dag.dag_id}/${run.dag_run_id}`)}${sent.path}`;
          replace(outcome, h("p", { class: "done" }, `${sent.text} `, airflowLink(path, "Go to the run")));
          close.textContent = "Close";
        } catch (error) {
          go.disabled = false;
          replace(outcome, fault(error));
        }
      },
    },
    fields,
    h("p", { class: "hint" }, `Airflow's own Trigger on ${dag.dag_id} does the same, ${same}.`),
    dag.paused ? h("p", { class: "hint" }, `${dag.dag_id} is paused: the run starts when you unpause it.`) : null,
    outcome,
    h("p", { class: "buttons" }, go, close),
  );
  const box = h("dialog", { "aria-label": title, onclose: () => box.remove() }, h("h2", {}, title), h("p", {}, about), form);
  document.body.append(box);
  box.showModal();
}

const ASKED = { text: "The run has started. It shows a preview and waits for approval.", path: "/required_actions" };

export function rollBack(dag, table, to = "last:1") {
  const { to: back, mode, why } = FORMS.rollback;
  ask(
    `Roll back ${table}`,
    "The run shows a preview and waits for approval. The pipeline keeps running.",
    dag,
    [
      text("to", back, { required: true, value: to }),
      modes(mode.title, mode.choices),
      text("why", why, { required: true, maxlength: 500 }),
    ],
    (data) => ({ table, to: written(data, "to"), mode: data.get("mode"), why: data.get("why") }),
    ASKED,
    (data) => {
      const wanted = written(data, "to");
      return /^(\d+|last:[1-9]\d*)$/.test(wanted) ? null : noMoment(back.title, wanted);
    },
  );
}

export function backfill(dag, table) {
  const { mode, from: first, to: end, dry_run: dry, why } = FORMS.backfill;
  ask(
    `Backfill ${table ?? "all tables"}`,
    "Loads the records of a time range from Kafka, each exactly once. The pipeline keeps running.",
    dag,
    [
      modes(mode.title, mode.choices, "fill"),
      h("label", {}, first.title, moment("from")),
      h("label", {}, end.title, moment("to")),
      h("p", { class: "hint" }, "Times with their zone, like 2026-01-31T12:00:00Z. To is exclusive. For a long time range, open this DAG in Airflow and choose Trigger, Backfill: one run per hour. In that form, tick Override parameters on existing runs, or Airflow ignores its fields and the runs fail without changing anything."),
      text("why", { ...why, hint: FORMS.rollback.why.hint }, { required: true, maxlength: 500 }),
      checkbox(dry),
    ],
    (data) => ({
      mode: data.get("mode"),
      ...(table === undefined ? {} : { table }),
      from: written(data, "from"),
      to: written(data, "to"),
      why: data.get("why"),
      dry_run: data.get("dry_run") !== null,
    }),
    { text: "The run has started. The log of its task ask shows what it will do.", path: "" },
    (data) => {
      const [from, to] = ["from", "to"].map((name) => written(data, name));
      return noMoment(first.title, from) ?? noMoment(end.title, to) ?? (new Date(from) < new Date(to) ? null : "From must be before To.");
    },
  );
}

function text(name, { title, hint }, properties) {
  return [h("label", {}, title, h("input", { name, ...properties })), h("p", { class: "hint" }, hint)];
}

function checkbox({ title, hint }) {
  return [
    h("label", { class: "choice" }, h("input", { type: "checkbox", name: "dry_run" }), title),
    h("p", { class: "hint" }, hint),
  ];
}

function modes(legend, texts, chosen) {
  const input = (mode) => h("input", { type: "radio", name: "mode", value: mode, required: true, checked: mode === chosen });
  return h("fieldset", {}, h("legend", {}, legend), Object.entries(texts).map(([mode, text]) => h("label", { class: "choice" }, input(mode), text)));
}

function moment(name) {
  return h("input", { name, required: true });
}

// The time as Airflow takes it: people write a space in place of the T.
function written(data, name) {
  return data.get(name).trim().replace(/^(\d{4}-\d\d-\d\d) +(?=\d)/, "$1T");
}

// Why a text is no unambiguous time; null if it is one.
function noMoment(label, text) {
  const found = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/.exec(text);
  if (!found || Number.isNaN(Date.parse(text))) return `${label}: ${text} is not a time like 2026-01-31T12:00:00Z.`;
  return found[1] ? null : `${label}: ${text} has no time zone: write ${text}Z for UTC.`;
}

export function commitNow(dag) {
  ask(
    "Run now, and commit",
    "Starts a run that reads new records and commits all staged files, without waiting for commit.min_bytes or commit.max_latency.",
    dag,
    [],
    () => ({ commit_now: true }),
    { text: "The run has started.", path: "" },
    () => null,
    "with Commit now on. Its form has more fields",
  );
}

export function maintain(dag, tables, table) {
  const one = (name) => h("option", { value: name, selected: name === table }, name);
  const { table: which, dry_run: dry } = FORMS.maintain;
  ask(
    "Run maintenance",
    "Rewrites small files, expires old snapshots, rewrites manifests, deletes files of lost attempts, and audits. If nothing is due, nothing is changed.",
    dag,
    [
      h("label", {}, which.title, h("select", { name: "table" }, h("option", { value: "" }, "all tables"), tables.map(one))),
      checkbox(dry),
    ],
    (data) => ({ ...(data.get("table") ? { table: data.get("table") } : {}), dry_run: data.get("dry_run") !== null }),
    { text: "The run has started. The logs of its tasks show what they do.", path: "" },
  );
}

export function redrive(dag, table) {
  const { reason } = FORMS.recover;
  ask(
    `Redrive dead letters of ${table ?? "all tables"}`,
    "Turns dead letters that fit the table now, after you fixed its columns or the pipeline file, into rows. They stay in the dead-letter table, with the reason why they failed. The run tries some of them, shows a preview, and asks before it changes anything.",
    dag,
    [
      text("reason", reason, { maxlength: 500 }),
      text("why", FORMS.rollback.why, { required: true, maxlength: 500 }),
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
    "Recover",
    "The run reports where tables, log and Kafka disagree, and asks before it changes anything. If all is well, it ends by itself.",
    dag,
    [],
    () => ({}),
    ASKED,
    () => null,
    "with an unchanged form",
  );
}
