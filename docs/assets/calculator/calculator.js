// A calculator: its inputs, its state in the address, and what it shows.
import { load, Refused, UNDECIDED } from "./core.js";

const HERE = new URL(".", import.meta.url);
const SPEC = new URL("../../spec/", HERE);
const MOST_LABELS = 200;

let loading, functions;

const SAID_OF_LIBRARIES =
  "Each function has a definition that predicts all answers it gave. These are the values by that definition, " +
  "for scores without ties. A library rounds them, some to 32-bit floats or to a few decimals.";

// The core, which all that a page has share.
export function the_core() {
  loading ??= Promise.all([get("rankspec.wasm", "arrayBuffer"), get("layout.json", "json")]).then(([wasm, layout]) => load(wasm, layout));
  return loading;
}

async function get(name, form) {
  const answer = await fetch(new URL(name, HERE));
  if (!answer.ok) throw new Error(`This site was built without ${name}.`);
  return answer[form]();
}

export class Calculator {
  constructor(place, name, measure) {
    Object.assign(this, { place, name, measure });
    if (!place.id) place.id = `calculator-${name}`;
    const given = new URLSearchParams(location.search);
    this.fields = new Map(measure.inputs.map((input) => [input.name, field(input, `${place.id}-${input.name}`)]));
    this.result = element("div", { class: "rs-result", role: "status" });
    this.details = element("div", { class: "rs-details" });
    this.form = element("form", { class: "rs-inputs", autocomplete: "off" }, ...[...this.fields.values()].map((x) => x.node));
    const title = element("p", { class: "rs-title", id: `${place.id}-title` }, `Calculate ${measure.title}`);
    place.setAttribute("role", "region");
    place.setAttribute("aria-labelledby", title.id);
    place.replaceChildren(title, this.form, this.result, this.details);
    this.values = Object.fromEntries(measure.inputs.map((input) => [input.name, structuredClone(input.start)]));
    for (const input of measure.inputs) this.begin(input, given.get(`${name}.${input.name}`));
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.form.addEventListener("input", () => this.changed());
  }

  // Takes what the address has of an input. What it cannot take stands in the field, or is told.
  begin(input, text) {
    const field = this.fields.get(input.name);
    field.write(input.start);
    if (text === null) return;
    try {
      field.write((this.values[input.name] = state_of(input, text)));
    } catch (error) {
      this.trouble ??= error.message;
      field.write_text?.(text);
    }
  }

  changed() {
    this.trouble = null;
    try {
      for (const input of this.measure.inputs) this.values[input.name] = this.fields.get(input.name).read();
    } catch (error) {
      return this.said(error.message);
    }
    history.replaceState(history.state, "", address_of(this));
    return this.show();
  }

  async show() {
    if (this.trouble) return this.said(this.trouble);
    let core;
    try {
      core = await the_core();
    } catch (error) {
      return this.said(`The calculator cannot be loaded. ${error.message}`);
    }
    try {
      this.shown(this.measure.compute(core, this.values), core.layout.version);
      this.place.dataset.ready = "";
    } catch (error) {
      if (!(error instanceof Refused || error instanceof RangeError)) throw error;
      this.said(error instanceof Refused ? `No value: ${this.refused(core) ?? error.message}.` : error.message);
    }
  }

  // Which number is refused, as it is where it stands alone.
  refused(core) {
    const numbers = this.measure.inputs.filter((x) => x.kind === "numbers");
    const alone = Object.fromEntries(numbers.map((x, i) => [x.name, i ? [] : [0]]));
    if (alone.scores) alone.scores = [0];
    for (const input of this.measure.inputs) {
      if (!Array.isArray(this.values[input.name])) continue;
      for (const [i, x] of this.values[input.name].flat().entries()) {
        try {
          this.measure.compute(core, { ...this.values, ...alone, [input.name]: input.kind === "lists" ? [[x]] : [x] });
        } catch (error) {
          if (!(error instanceof Refused)) throw error;
          return `${name_of(input)}: ${x} at position ${i + 1}; expected ${this.measure.takes(this.values)}`;
        }
      }
    }
    return null;
  }

  said(message) {
    this.result.replaceChildren(element("p", { class: "rs-trouble" }, message));
    this.details.replaceChildren();
  }

  shown({ values, rows, unit = "Rank", scale, others, by_library, python }, version) {
    const [[name, value], ...more] = values;
    this.result.replaceChildren(
      element("p", { class: "rs-value" }, element("span", {}, name), element("output", { "data-value": "" }, text_of(value))),
    );
    this.details.replaceChildren(
      ...(more.length ? [list_of(more)] : []),
      ...(scale ? [scale_of(scale)] : []),
      this.table(rows, unit),
      ...(others ? [element("details", {}, element("summary", {}, "The same ranking by other conventions"), list_of(others))] : []),
      ...(by_library ? [this.libraries(by_library)] : []),
      this.quoted(python, version),
    );
  }

  // ---- what libraries say; their definitions are loaded when it is opened

  libraries(by_library) {
    const out = element("div", {});
    const made = element("details", {}, element("summary", {}, "What would a library say?"), out);
    made.addEventListener("toggle", async () => {
      this.libraries_open = made.open;
      if (!made.open || out.firstChild) return;
      functions ??= get("libraries.json", "json");
      out.replaceChildren(element("p", {}, SAID_OF_LIBRARIES), ...by_library(await functions).map(group_of_functions));
    });
    made.open = this.libraries_open ?? false;
    return made;
  }

  // ---- the ranks

  table(rows, unit) {
    const greatest = Math.max(...rows.flatMap((x) => [x.shown?.part, x.ideal?.part]).filter((x) => typeof x === "number"), Number.MIN_VALUE);
    const has_ideal = rows.some((x) => x.ideal);
    const movable = this.measure.fixed ? null : this.measure.inputs[0];
    const heads = [unit, "This list", ...(has_ideal ? ["Ideal list"] : []), ...(movable ? ["Move"] : [])];
    const head = element("tr", {}, ...heads.map((x) => element("th", { scope: "col" }, x)));
    const body = rows.map((row, i) =>
      element("tr", {}, element("th", { scope: "row" }, String(i + 1)), part(row.shown, greatest, "rs-shown"),
        ...(has_ideal ? [part(row.ideal, greatest, "rs-ideal")] : []), ...(movable ? [this.buttons(i, movable, unit)] : [])),
    );
    return element("table", { class: "rs-ranks" }, element("caption", {}, `What each ${unit.toLowerCase()} adds`), element("thead", {}, head), element("tbody", {}, ...body));
  }

  buttons(i, input, unit) {
    const last = this.values[input.name].length - 1;
    if (i > last) return element("td", {});
    const button = (to, sign, word) => {
      const made = element("button", { type: "button", "aria-label": `Move ${unit.toLowerCase()} ${i + 1} ${word}`, "data-move": `${i}${sign}` }, sign);
      made.disabled = to < 0 || to > last;
      made.addEventListener("click", () => this.move(input, i, to, sign));
      return made;
    };
    return element("td", { class: "rs-moves" }, button(i - 1, "↑", "up"), button(i + 1, "↓", "down"));
  }

  async move(input, from, to, sign) {
    const moved = [...this.values[input.name]];
    moved.splice(to, 0, ...moved.splice(from, 1));
    this.fields.get(input.name).write(moved);
    await this.changed();
    const at = (x) => this.details.querySelector(`[data-move="${to}${x}"]:not(:disabled)`);
    (at(sign) ?? at(sign === "↑" ? "↓" : "↑"))?.focus();
  }

  // ---- to quote

  quoted(python, version) {
    const link = element("a", { href: address_of(this) }, "Link to this calculation");
    return element("div", { class: "rs-quote" }, element("p", {}, `In Python, rankspec ${version}: `, element("code", {}, python)), element("p", {}, link));
  }
}

// ---- inputs: each has a node, and reads and writes its value

function field(input, id) {
  return { numbers: numbers_field, lists: lists_field, cutoff: slider_field, slider: slider_field, choice: choice_field }[input.kind](input, id);
}

function numbers_field(input, id) {
  const control = element("input", { id, type: "text", inputmode: "text", spellcheck: "false" });
  return {
    node: labelled(input, id, control, "rs-wide"),
    read: () => marked(control, () => numbers_of(control.value, name_of(input))),
    write: (x) => (control.value = x.join(" ")),
    write_text: (text) => ((control.value = text), control.setAttribute("aria-invalid", "true")),
  };
}

function lists_field(input, id) {
  const control = element("textarea", { id, rows: "4", spellcheck: "false" });
  return {
    node: labelled(input, id, control, "rs-wide"),
    read: () => marked(control, () => control.value.split("\n").map((x) => numbers_of(x, name_of(input)))),
    write: (x) => (control.value = x.map((query) => query.join(" ")).join("\n")),
    write_text: (text) => ((control.value = text.split("/").join("\n")), control.setAttribute("aria-invalid", "true")),
  };
}

// Of a cut-off, the last step is none.
function slider_field(input, id) {
  const has_none = input.kind === "cutoff";
  const most = input.most + (has_none ? 1 : 0);
  const control = element("input", { id, type: "range", min: input.least ?? 1, max: most, step: input.step ?? 1 });
  const output = element("output", { for: id });
  const read = () => (has_none && Number(control.value) === most ? null : Number(control.value));
  const tell = () => {
    output.textContent = read() ?? "none";
    control.setAttribute("aria-valuetext", output.textContent);
  };
  control.addEventListener("input", tell);
  const node = labelled(input, id, control);
  node.querySelector("label").append(" ", output);
  return { node, read, write: (x) => ((control.value = x ?? most), tell()) };
}

function choice_field(input, id) {
  const options = Object.entries(input.choices).map(([value, text]) => element("option", { value }, text));
  const control = element("select", { id }, ...options);
  return { node: labelled(input, id, control), read: () => control.value, write: (x) => (control.value = x) };
}

function labelled(input, id, control, more = "") {
  return element("div", { class: `rs-input ${more}` }, element("label", { for: id }, input.label), control);
}

function marked(control, read) {
  try {
    const found = read();
    control.removeAttribute("aria-invalid");
    return found;
  } catch (error) {
    control.setAttribute("aria-invalid", "true");
    throw error;
  }
}

// As messages have it: without what the label says besides.
function name_of(input) {
  return input.label.split(",")[0];
}

function numbers_of(text, what) {
  const [mixed] = /\d\s+\d/.test(text) ? (text.match(/\d+,\d+/) ?? []) : [];
  if (mixed) throw new RangeError(`${what}: “${mixed}” has a comma, where others have a blank; write ${mixed.replace(",", ".")} or ${mixed.replace(",", " ")}.`);
  const words = text.split(/[\s,;]+/).filter(Boolean);
  if (words.length > MOST_LABELS) throw new RangeError(`${what}: at most ${MOST_LABELS} here; the package has no such limit.`);
  return words.map((word, i) => {
    if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(word)) throw new RangeError(`${what}: “${word}” at position ${i + 1} is no number.`);
    if (!is_kept(word)) throw new RangeError(`${what}: “${word}” at position ${i + 1} is not kept by a double; the package takes it.`);
    return Number(word);
  });
}

// Whether the nearest double tells a number from its neighbours: no large integer, nor what ends as 0.
function is_kept(word) {
  const x = Number(word);
  return /^[-+]?\d+$/.test(word) ? Number.isSafeInteger(x) : Number.isFinite(x) && (x !== 0 || !/[1-9]/.test(word.split(/e/i)[0]));
}

// ---- the state, in the address

// The value of an input by its text in the address; a RangeError where it has none.
function state_of(input, text) {
  if (input.kind === "numbers") return numbers_of(text, name_of(input));
  if (input.kind === "lists") return text.split("/").map((x) => numbers_of(x, name_of(input)));
  if (input.kind === "choice" && Object.hasOwn(input.choices, text)) return text;
  if (input.kind === "cutoff" && text === "none") return null;
  const x = text.trim() ? Number(text) : NaN;
  const least = input.least ?? 1;
  const steps = (x - least) / (input.step ?? 1);
  if (input.kind !== "choice" && x >= least && x <= input.most && Math.abs(steps - Math.round(steps)) < 1e-9) return x;
  throw new RangeError(`${name_of(input)}: “${text}”, in the address of this page, is none of its values.`);
}

// The address of a calculation: that of the page, with all inputs.
function address_of({ place, name, measure, values }) {
  const address = new URL(location.href);
  for (const input of measure.inputs) {
    const x = values[input.name];
    const text = input.kind === "lists" ? x.map((query) => query.join(" ")).join("/") : Array.isArray(x) ? x.join(" ") : (x ?? "none");
    address.searchParams.set(`${name}.${input.name}`, text);
  }
  address.hash = place.id;
  return address;
}

// ---- what is shown

export function text_of(value) {
  return value === UNDECIDED ? "undecided: the package's reference settles it" : String(value);
}

function list_of(pairs) {
  return element("dl", {}, ...pairs.map(([name, value, entry]) => element("div", {}, element("dt", {}, entry ? element("a", { href: new URL(entry, SPEC) }, name) : name), element("dd", {}, text_of(value)))));
}

function part(x, greatest, kind) {
  if (!x) return element("td", { class: kind }, "");
  const counts = typeof x.part === "number";
  const otherwise = x.part === UNDECIDED ? " undecided" : " not counted";
  const bar = element("span", { class: "rs-bar", "aria-hidden": "true" });
  bar.style.setProperty("--part", counts ? Math.max(0, x.part) / greatest : 0);
  return element("td", { class: kind }, element("span", { class: "rs-of" }, element("b", {}, x.label), counts ? ` adds ${short(x.part)}` : otherwise), bar);
}

function short(x) {
  return Number.isInteger(x) ? String(x) : Math.abs(x) >= 0.0001 && Math.abs(x) < 1e6 ? x.toFixed(4) : x.toPrecision(4);
}

// A value, and the functions that give it.
function group_of_functions([value, of]) {
  const links = of.map((f) => element("li", {}, element("a", { href: new URL(`../../${f.page}`, HERE) }, f.library), ` ${f.name}`));
  return element("div", { class: "rs-functions" }, element("b", {}, typeof value === "string" ? value : text_of(value)), element("ul", {}, ...links));
}

// Values on one line, each with its name.
function scale_of(pairs) {
  const known = pairs.filter(([, x]) => x !== UNDECIDED);
  const [least, most] = [Math.min(0, ...known.map(([, x]) => x)), Math.max(...known.map(([, x]) => x))];
  const marks = known.map(([name, x], i) => {
    const mark = element("span", { class: "rs-mark" }, element("span", {}, `${name} ${short(x)}`));
    const at = most > least ? (x - least) / (most - least) : 0;
    mark.style.setProperty("--at", at);
    mark.classList.toggle("rs-left", at > 0.5);
    mark.style.setProperty("--row", i);
    return mark;
  });
  return element("div", { class: "rs-scale", role: "img", "aria-label": known.map(([name, x]) => `${name} ${short(x)}`).join(", ") }, ...marks);
}

export function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, x] of Object.entries(attributes)) made.setAttribute(name, x);
  made.append(...children);
  return made;
}
