// The steps that `apply` would make, which the page finds out by itself before a run is started.

import { get, ofTable } from "./api.js";
import { h, replace } from "./dom.js";
import { at, plural } from "./format.js";

const MOST_TABLES = 20;

// A place with the steps for *table*, or for all of *tables*; its `show` is for another choice.
export function steps(pipeline, tables, table) {
  const place = h("div", { class: "steps", role: "status" });
  let turn = 0;
  const show = async (chosen) => {
    const mine = ++turn;
    const names = chosen ? [chosen] : tables;
    replace(place, h("p", { class: "hint" }, "Looking for steps…"));
    const lines = [];
    let seen = null;
    // One after the other: the server looks at a few tables at once, for all users.
    for (const name of names.slice(0, MOST_TABLES)) {
      try {
        const found = await get(ofTable(pipeline, name, "/steps"));
        lines.push(...found.lines);
        seen ??= found.at;
      } catch (error) {
        lines.push(`${name}: ${error.message}`);
      }
      if (mine !== turn) return;
    }
    const more = names.length - MOST_TABLES;
    replace(
      place,
      h("p", { class: "hint" }, `Steps by the pipeline file of the last batch${seen ? `, as of ${at(seen)}` : ""}. The run decides by the newest file.`),
      h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Steps" }, h("ul", { class: "lines" }, lines.map((line) => h("li", {}, line)))),
      more > 0 ? h("p", { class: "hint" }, `And ${plural(more, "more table")}: choose one to see its steps here.`) : null,
    );
  };
  show(table);
  return { place, show };
}
