// Buttons that start runs of a pipeline's DAGs through Airflow's API, after a confirmation. The catalogue has their words
// and fields.

import { newRunId, runPath, startRun } from "./api.js";
import { h, replace } from "./dom.js";
import { DIALOGS } from "./forms.js";
import { airflowLink, fault } from "./parts.js";
import { steps } from "./steps.js";

// A button for the dialog *name*, which starts a run of *dag*. *given* may have the page's table, the tables of a list,
// values of fields, and the pipeline, of whose tables the dialog shows the steps.
export function button(name, dag, given = {}, properties = {}) {
  const dialog = DIALOGS[name];
  const why =
    dag === undefined ? "Airflow has no such DAG, or you may not read it"
    : dag.stale ? "Its DAG file is gone: Airflow starts no runs of it"
    : dag.may_run ? null : "Airflow does not let you start its runs";
  return h("button", { type: "button", disabled: why !== null, title: why, onclick: () => ask(dialog, dag, given), ...properties }, dialog.button);
}

function ask(dialog, dag, { table, tables = [], values = {}, pipeline, routed = false }) {
  const outcome = h("div", { "aria-live": "polite" });
  const runId = newRunId();
  const go = h("button", { type: "submit", class: "main" }, "Start the run");
  const close = h("button", { type: "button", class: "plain", onclick: () => box.close() }, "Cancel");
  const title = dialog.title.replace("{table}", () => table ?? "all tables");
  const preview = dialog.previews ? steps(pipeline, tables, table) : null;
  const form = h(
    "form",
    {
      onchange: (event) => {
        if (preview && event.target.name === "table") preview.show(event.target.value);
      },
      onsubmit: async (event) => {
        event.preventDefault();
        const data = new FormData(form);
        const why = refusal(dialog.fields, data);
        if (why) {
          replace(outcome, fault(new Error(why)));
          return;
        }
        go.disabled = true;
        try {
          const run = await startRun(dag.dag_id, conf(dialog, table, data), runId);
          const path = `${runPath(`${dag.dag_id}/${run.dag_run_id}`)}${dialog.asks ? "/required_actions" : ""}`;
          replace(outcome, h("p", { class: "done" }, `The run has started. ${dialog.then ? `${dialog.then} ` : ""}`, airflowLink(path, "Go to the run")));
          close.textContent = "Close";
        } catch (error) {
          go.disabled = false;
          replace(outcome, fault(error));
        }
      },
    },
    dialog.fields.map((field) => control(field, values[field.name] ?? field.default, tables, table, routed)),
    preview?.place,
    h("p", { class: "hint" }, `Airflow's own Trigger on ${dag.dag_id} does the same, ${dialog.same}.`),
    dag.paused ? h("p", { class: "hint" }, `${dag.dag_id} is paused: the run starts when you unpause it.`) : null,
    outcome,
    h("p", { class: "buttons" }, go, close),
  );
  const box = h("dialog", { "aria-label": title, onclose: () => box.remove() }, h("h2", {}, title), h("p", {}, dialog.about), form);
  document.body.append(box);
  box.showModal();
}

// The element for one field. A choice has its texts and a list of tables its names, so they have no hint.
function control({ name, kind, title, hint, choices, required, unset }, value, tables, table, routed) {
  if (kind === "choice") {
    const input = (choice) => h("input", { type: "radio", name, value: choice, required: true, checked: choice === value });
    return h("fieldset", {}, h("legend", {}, title), Object.entries(choices).map(([choice, text]) => h("label", { class: "choice" }, input(choice), text)));
  }
  if (kind === "table" && routed) return h("label", {}, title, h("input", { name, value: table ?? "", placeholder: unset, maxlength: 500 }));
  if (kind === "table") {
    const one = (t) => h("option", { value: t, selected: t === table }, t);
    return h("label", {}, title, h("select", { name }, h("option", { value: "" }, unset), tables.map(one)));
  }
  const label =
    kind === "flag"
      ? h("label", { class: "choice" }, h("input", { type: "checkbox", name }), title)
      : h("label", {}, title, h("input", { name, required, value, maxlength: kind === "text" ? 500 : null }));
  return [label, hint ? h("p", { class: "hint" }, hint) : null];
}

// The run's form. A field without a value (undefined) is not sent.
function conf(dialog, table, data) {
  return { table, ...Object.fromEntries(dialog.fields.map((field) => [field.name, sent(field, data.get(field.name))])), ...dialog.fixed };
}

function sent({ kind, required }, text) {
  if (kind === "flag") return text !== null;
  if (kind === "time" || kind === "snapshot") return written(text);
  return required ? text : text.trim() || undefined;
}

// Why the form cannot be sent, or null.
function refusal(fields, data) {
  const texts = fields.filter((f) => f.kind === "time" || f.kind === "snapshot").map((f) => [f, written(data.get(f.name))]);
  for (const [{ kind, title }, text] of texts) {
    const why = kind === "snapshot" && /^(\d+|last:[1-9]\d*)$/.test(text) ? null : noMoment(title, text);
    if (why) return why;
  }
  const [first, end] = texts.filter(([{ kind }]) => kind === "time");
  return end && new Date(first[1]) >= new Date(end[1]) ? `${first[0].title} must be before ${end[0].title}.` : null;
}

// The time as Airflow takes it: people write a space in place of the T.
function written(text) {
  return text.trim().replace(/^(\d{4}-\d\d-\d\d) +(?=\d)/, "$1T");
}

// Why a text is no unambiguous time; null if it is one.
function noMoment(label, text) {
  const found = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/.exec(text);
  if (!found || Number.isNaN(Date.parse(text))) return `${label}: ${text} is not a time like 2026-01-31T12:00:00Z.`;
  return found[1] ? null : `${label}: ${text} has no time zone: write ${text}Z for UTC.`;
}
