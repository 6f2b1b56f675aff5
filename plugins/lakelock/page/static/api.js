// Requests to the page's own read-only API, and to Airflow's API, as the logged-in user, for changes.

// The page is one level below Airflow's root, wherever that is.
const root = new URL("../", document.baseURI);
const embedded = window.parent !== window;
const MOST_TOLD = 1_000;

export class Refused extends Error {
  constructor(status, message, retryAfterS = null) {
    super(message);
    this.status = status;
    this.retryAfterS = retryAfterS;
  }
}

// In seconds from now; the header has seconds or a date.
function retryAfterS(response) {
  const retryAfter = response.headers.get("Retry-After");
  if (!retryAfter) return null;
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}

// Airflow's text may be a list of faults, or go on with the violated schema, which is left out.
function sentence(detail) {
  if (Array.isArray(detail)) {
    const faults = detail.map((d) => [(d?.loc ?? []).filter((step) => step !== "body").join("."), d?.msg].filter(Boolean).join(": "));
    return sentence(faults.filter(Boolean).join("; "));
  }
  if (typeof detail !== "string" || !detail.trim()) return null;
  const field = /^Invalid input for param (\w+): ('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\S+)/m.exec(detail);
  if (field) return `Airflow does not take ${field[2]} as ${field[1]}. No run was started.`;
  const [line] = detail.trim().split("\n");
  return line.length > MOST_TOLD ? `${line.slice(0, MOST_TOLD)}…` : line;
}

async function answer(response) {
  let body = null;
  try {
    body = await response.json();
  } catch {
    // A body that is not JSON has no message for people.
  }
  if (response.ok && body !== null) return body;
  if (response.ok) throw new Refused(response.status, "The server's answer does not fit this version of the page. Reload the page.");
  const detail = sentence(body?.detail);
  if (response.status === 401) throw new Refused(401, "Your session has ended. Reload Airflow's page and log in again.");
  if (response.status === 403) throw new Refused(403, detail ?? "Airflow does not let you do this.");
  throw new Refused(response.status, detail ?? `The server answered ${response.status}.`, retryAfterS(response));
}

export async function get(path, query) {
  const url = new URL(`api/${path}`, document.baseURI);
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
  let response;
  try {
    response = await fetch(url, { headers: { Accept: "application/json" }, credentials: "same-origin" });
  } catch {
    throw new Refused(0, "Airflow's api-server does not answer.");
  }
  return answer(response);
}

export function of(pipeline, rest = "") {
  return `pipelines/${encodeURIComponent(pipeline)}${rest}`;
}

export function ofTable(pipeline, table, rest = "") {
  return of(pipeline, `/tables/${encodeURIComponent(table)}${rest}`);
}

// One id per question: pressing its button again after a lost answer starts no second run.
export function newRunId() {
  return `manual__${new Date().toISOString()}_page_${Math.random().toString(36).slice(2, 8)}`;
}

// Starts a run through Airflow's own API, with its rights and its audit log. A run that exists with this id has
// started. Airflow answers 409 to other problems as well.
export async function startRun(dagId, conf, runId) {
  const runs = new URL(`api/v2/dags/${encodeURIComponent(dagId)}/dagRuns`, root);
  let response;
  try {
    response = await fetch(runs, {
      method: "POST",
      credentials: "same-origin",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify({ dag_run_id: runId, logical_date: null, conf }),
    });
  } catch {
    throw new Refused(0, `Airflow's answer was lost, so the run may have started. Press the button again: the run starts only once.`);
  }
  if (response.status === 409) {
    const request = fetch(`${runs.href}/${encodeURIComponent(runId)}`, { credentials: "same-origin", headers: { Accept: "application/json" } });
    const known = await request.catch(() => null);
    if (known?.ok) return answer(known);
  }
  return answer(response);
}

export function airflow(path) {
  return new URL(path, root).href;
}

export function runPath(run) {
  const cut = run.indexOf("/");
  return `dags/${encodeURIComponent(run.slice(0, cut))}/runs/${encodeURIComponent(run.slice(cut + 1))}`;
}

// Airflow's frame may neither navigate the outer page nor open a tab; a link of the outer document may.
export function follow(event) {
  const link = event.target.closest?.("a[data-outer]");
  if (!link || !embedded || event.defaultPrevented || event.button !== 0) return;
  event.preventDefault();
  if (event.ctrlKey || event.metaKey || event.shiftKey) {
    window.parent.open(link.href, "_blank", "noopener");
    return;
  }
  const outer = window.parent.document.createElement("a");
  outer.href = link.href;
  outer.target = link.target;
  outer.rel = link.rel;
  window.parent.document.body.append(outer);
  outer.click();
  outer.remove();
}

// Takes the theme of the outer page if there is one; otherwise the style sheet follows the system.
export function followTheme() {
  if (!embedded) return;
  let outer;
  try {
    outer = window.parent.document.documentElement;
  } catch {
    return;
  }
  const take = () => {
    const theme = ["dark", "light"].find((name) => outer.classList.contains(name));
    if (!theme) return;
    document.documentElement.dataset.theme = theme;
    document.documentElement.dataset.embedded = "";
  };
  take();
  new MutationObserver(take).observe(outer, { attributeFilter: ["class"] });
}
