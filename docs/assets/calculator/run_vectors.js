// The page of the vectors: runs them by the core, file by file, and counts how each ends.
import { element, text_of, the_core } from "./calculator.js";
import { UNDECIDED } from "./core.js";
import { half_unit, run } from "./vectors.js";

const HERE = new URL(".", import.meta.url);
const VECTORS = new URL("../../spec/vectors/", HERE);
const ENDS = { equal: "equal", undecided: "undecided", inexpressible: "not expressible", different: "different" };

export function start() {
  for (const place of document.querySelectorAll(".rs-run-vectors")) {
    const button = element("button", { type: "button" }, "Run the vectors");
    const out = element("div", { class: "rs-ends" });
    const said = element("p", { role: "status" });
    place.replaceChildren(button, said, out);
    button.addEventListener("click", async () => {
      button.disabled = true;
      try {
        await run_all(said, out);
        place.dataset.ready = "";
      } catch (error) {
        said.textContent = `The vectors cannot be run. ${error.message}`;
      }
      button.disabled = false;
    });
  }
}

async function run_all(said, out) {
  said.textContent = "Loading";
  const core = await the_core();
  const calls = await json(new URL("calls.json", HERE));
  const begun = performance.now();
  const found = [];
  for (const [file, of_file] of Object.entries(calls)) {
    said.textContent = `Running ${file}`;
    const { required, optional } = await json(new URL(`${file}.json`, VECTORS));
    for (const example of [...required, ...optional].flatMap((group) => group.cases))
      found.push({ file, example, ...run(core, of_file[example.id], example) });
    show(found, out);
    await new Promise((next) => setTimeout(next)); // the page stays usable
  }
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  const n = (end) => found.filter((x) => x.verdict === end).length;
  said.textContent =
    `${found.length} cases in ${seconds} s: ${n("equal")} equal bit for bit, ${n("undecided")} undecided, ` +
    `${n("inexpressible")} not expressible, ${n("different")} different.`;
}

async function json(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url.pathname} is missing.`);
  return answer.json();
}

function show(found, out) {
  const by_measure = grouped(found, ({ example: { measure } }) => measure.of?.name ?? measure.name);
  const undecided = found.filter((x) => x.verdict === "undecided");
  const different = found.filter((x) => x.verdict === "different");
  const reasons = grouped(found.filter((x) => x.reason), (x) => x.reason);
  out.replaceChildren(
    table("By measure", ["Measure", ...Object.values(ENDS)], by_measure.map(([name, of]) => [name, ...Object.keys(ENDS).map((end) => of.filter((x) => x.verdict === end).length)])),
    ...(different.length ? [table("Different", ["Case", "Found", "Committed"], different.map((x) => [x.example.id, x.found.map(text_of).join(" "), decimals(x)]))] : []),
    table("Not expressible", ["Reason", "Cases"], reasons.map(([reason, of]) => [reason, of.length])),
    table("Undecided", ["Case", "About", "Committed value", "The true value is"], undecided.map(row_of_undecided)),
  );
}

function grouped(items, key) {
  const groups = new Map();
  for (const x of items) groups.set(key(x), [...(groups.get(key(x)) ?? []), x]);
  return [...groups];
}

function decimals({ expected }) {
  return expected.map((x) => x.decimal).join(" ");
}

// Of the values of a case, those that are undecided. The committed value is the double nearest to the
// true one, which encloses that.
function row_of_undecided({ example, found, expected }) {
  const open = expected.filter((_, i) => found[i] === UNDECIDED).map((x) => x.decimal);
  const about = (x) => (Number.isFinite(x) ? `within 2^${half_unit(x)} of it` : "beyond all doubles");
  return [example.id, example.why, open.join(" "), open.map(about).join(", ")];
}

function table(caption, heads, rows) {
  const head = element("tr", {}, ...heads.map((x) => element("th", { scope: "col" }, x)));
  const body = rows.map((row) => element("tr", {}, ...row.map((x) => element("td", {}, String(x)))));
  const made = element("table", {}, element("caption", {}, caption), element("thead", {}, head), element("tbody", {}, ...body));
  return element("div", { class: "md-typeset__scrollwrap", tabindex: "0", role: "region", "aria-label": caption }, element("div", { class: "md-typeset__table" }, made));
}
