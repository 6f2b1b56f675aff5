// Selects the view that the address names, and draws the frame around it.

import { follow, followTheme } from "./api.js";
import { h, replace } from "./dom.js";
import { overview } from "./overview.js";
import { pageLink, fault } from "./parts.js";
import { pipeline } from "./pipeline.js";
import { table } from "./table.js";

const WATCH = "lakelock_watch";
const KINDS = /^(?:ingest|backfill|rollback|recover|maintain)__(.+)$/;

function crumbs(...steps) {
  const list = h("ol", {}, steps.map((s) => h("li", {}, s)));
  replace(document.getElementById("top"), h("nav", { "aria-label": "Breadcrumb" }, list));
  const last = steps.at(-1);
  document.title = `${typeof last === "string" ? last : last.textContent} · lakelock`;
}

function route() {
  const query = new URLSearchParams(window.location.search);
  const main = document.getElementById("main");
  const dag = query.get("dag_id");
  const named = dag ? KINDS.exec(dag)?.[1] : query.get("pipeline");
  const home = pageLink({}, "Pipelines");
  if (dag && !named && dag !== WATCH) {
    crumbs(dag);
    replace(main, h("p", { class: "quiet" }, `${dag} is not a lakelock DAG. `, home));
  } else if (named && query.get("table")) {
    crumbs(home, pageLink({ pipeline: named }, named), query.get("table"));
    return table(main, named, query.get("table"));
  } else if (named) {
    crumbs(home, named);
    return pipeline(main, named);
  } else {
    crumbs("Pipelines");
    return overview(main);
  }
  return Promise.resolve();
}

followTheme();
document.addEventListener("click", follow);
route().catch((error) => replace(document.getElementById("main"), fault(error)));
