// What each calculator asks and shows. A measure is data: its inputs, and compute(core, v), which
// gives {values, rows, scale, others, by_library, python}; v has the inputs' values by their names.
//
// by_library: what functions of libraries give, of nDCG
// values: [name, value] pairs, the first of which is the result
// rows: of ranks, or of queries: {label, part} of the list and of the ideal, either may be missing
// scale: [name, value] pairs on one line; others: the same ranking by other conventions, each with the
// entry of the spec
// fixed: whether rows have no buttons that move them
// takes: in words, the numbers that the measure takes, by the inputs' values
// python: the call of the package that gives the first value
import { Refused, UNDECIDED } from "./core.js";

const labels = { name: "labels", kind: "numbers", label: "Labels, in rank order", start: [3, 2, 3, 0, 1, 2] };
const others = { name: "others", kind: "numbers", label: "Labels of judged documents that are not in the list", start: [] };
const k = { name: "k", kind: "cutoff", label: "Cut-off k", start: 10, most: 20 };
const gain = { name: "gain", kind: "choice", label: "Gain", start: "linear", choices: { linear: "label: r", exp2: "exponential: 2^r − 1" } };
const base = { name: "b", kind: "slider", label: "Base b of the logarithm", start: 2, least: 1.5, most: 10, step: 0.5 };
const p = { name: "p", kind: "slider", label: "Persistence p", start: 0.8, least: 0.05, most: 0.99, step: 0.01 };

const gained = (v) => (v.gain === "exp2" ? "numbers from 0 to 1023" : "numbers from 0");

export const MEASURES = {
  ndcg: {
    title: "nDCG",
    inputs: [labels, others, k, gain, base],
    takes: gained,
    compute: ndcg,
  },
  ldcg: {
    title: "LDCG and LNDCG",
    inputs: [
      { ...labels, start: [3, 2, 0] },
      { ...others, start: [3, 1] },
      { name: "M", kind: "slider", label: "Greatest number of results M", start: 5, least: 1, most: 20, step: 1 },
      { ...gain, start: "exp2" },
      base,
    ],
    takes: gained,
    compute: ldcg,
  },
  phi: {
    title: "nDCG_φ",
    inputs: [
      { ...labels, label: "Scores, in rank order", start: [100, 20, 90, 15, 10] },
      { ...k, start: null },
      base,
      { name: "variant", kind: "choice", label: "Control points", start: "text", choices: { text: "by the paper's text", "authors-program": "by the authors' program" } },
    ],
    takes: () => "numbers",
    compute: phi,
  },
  bounds: {
    title: "UL1 and UL2 of nDCG",
    inputs: [{ ...labels, start: [1, 3, 0, 2, 0] }, { ...others, start: [0, 0, 1] }, { ...k, start: 5 }, gain, base],
    takes: gained,
    compute: bounds,
  },
  err: {
    title: "ERR",
    inputs: [labels, others, k, { name: "max", kind: "slider", label: "Highest label of the scale", start: 4, least: 1, most: 8, step: 1 }],
    takes: (v) => `whole numbers from 0 to ${v.max}, the highest label`,
    compute: err,
  },
  rbp: {
    title: "RBP",
    inputs: [{ ...labels, start: [1, 0, 1, 1, 0] }, k, p],
    takes: () => "numbers",
    compute: rbp,
  },
  sdcg: {
    title: "sDCG and nsDCG",
    inputs: [
      { name: "queries", kind: "lists", label: "Labels of the results, a query a line; a query without results is an empty line", start: [[0, 1, 2], [3, 0], [1, 3, 0, 2]] },
      k,
      { ...base, label: "Base b of the ranks" },
      { ...base, name: "bq", label: "Base bq of the queries", start: 4 },
      gain,
    ],
    takes: gained,
    compute: sdcg,
  },
  ties: {
    title: "nDCG under ties",
    fixed: true, // its rows are in rank order, not in that of the input
    inputs: [
      { ...labels, label: "Labels, in the order of the input", start: [1, 3, 0, 2, 2] },
      { name: "scores", kind: "numbers", label: "Scores of the same documents", start: [0.9, 0.5, 0.5, 0.5, 0.1] },
      { ...k, start: 3 },
      gain,
    ],
    takes: gained,
    compute: ties,
  },
};

// ---- DCG -----------------------------------------------------------------------------------

function ndcg(core, v) {
  const judged = [...v.labels, ...v.others];
  const ideal = falling(judged);
  const dcg = dcg_measure(v);
  const given = { labels: v.labels, judged };
  const shown = running(core, dcg, v.labels, v.k), best = running(core, dcg, ideal, v.k);
  const ask = (changed = {}, of = given) => core.values({ ...ndcg_measure({ ...v, ...changed }), ...changed.fields }, of)[0];
  const ask_too = (...asked) => or_none(() => ask(...asked));
  const other = v.gain === "linear" ? "exp2" : "linear";
  return {
    values: [
      [`nDCG${at(v.k)}`, ask()],
      [`DCG${at(v.k)}`, core.values({ ...dcg, k: [v.k] }, given)[0]],
      [`IDCG${at(v.k)}`, core.values({ ...dcg, metric: "RS_IDCG", k: [v.k] }, { labels: judged })[0]],
    ],
    rows: rows(v.labels, shown, ideal, best),
    others: [
      [other === "exp2" ? "gain 2^r − 1" : "gain r", ask_too({ gain: other }), other === "exp2" ? "gain/#RS-GAIN-2" : "gain/#RS-GAIN-1"],
      ["ideal from the retrieved list alone", ask_too({}, { labels: v.labels }), "dcg/#RS-DCG-4"],
      ["ideal of all judged documents, not cut at k", ask_too({ fields: { k_ideal: [null] } }), "dcg/#RS-DCG-7"],
      ["ideal no longer than the list", ask_too({ fields: { ideal: "RS_IDEAL_OF_SHOWN" } }), "dcg/#RS-DCG-7"],
      ["ideal of k documents of gain 1", ask_too({ fields: { ideal: "RS_IDEAL_PERFECT" } }), "dcg/#RS-DCG-8"],
      ["discount 1 up to rank 2, then 1 / log2(i)", ask_too({ fields: { discount: discount(2, v, "jarvelin-2002") } }), "gain/#RS-DISC-3"],
    ],
    by_library: (functions) => by_value(functions, (f) => or_none(() => value_of_library(core, v, f))),
    python: call("ndcg", v, { judged: v.others.length ? judged : null, gain: v.gain, discount: log(v.b) }),
  };
}

// A value beside the result, which stands where this one cannot be.
function or_none(value) {
  try {
    return value();
  } catch (error) {
    if (error instanceof Refused) return "does not take these labels";
    throw error;
  }
}

// ---- what libraries say ----------------------------------------------------------------------

const UNDEFINED = { zero: 0, one: 1, nan: NaN };

// The value by the definition of a library's function, or a text: why it gives none.
export function value_of_library(core, v, { measure: { uncut, ...measure }, limits, own_pool, undefined: empty, one_item }) {
  const judged = own_pool ? v.labels : [...v.labels, ...v.others];
  const trouble = trouble_of(v, judged, limits, one_item);
  if (trouble) return trouble;
  if (!judged.some((x) => x > 0)) return UNDEFINED[empty] ?? "an error, as nothing is relevant";
  const at_depth = { ...measure.discount, depth: depth(v) };
  return core.values({ ...measure, discount: at_depth, k: [v.k], k_ideal: [uncut ? null : v.k] }, { labels: v.labels, judged })[0];
}

function trouble_of(v, judged, limits, one_item) {
  if (judged.some((x) => !Number.isInteger(x) || x < 0)) return "not asked with labels that are no whole numbers from 0";
  if (limits.binary && judged.some((x) => x > 1)) return "takes the labels 0 and 1 alone";
  if (Math.max(...judged) > (limits.max_label ?? Infinity)) return "takes no label as high";
  if (v.labels.length === 0) return "not asked with an empty list";
  if (v.labels.length === 1 && one_item !== "computed") return "gives no value for a list of one";
  if (v.k === null && limits.cutoff === "required") return "needs a cut-off";
  if (v.k !== null && limits.cutoff === "never") return "takes no cut-off";
  if (limits.k_within && v.k > v.labels.length) return "takes no cut-off beyond the list";
  return null;
}

// [[value, items], ...], of items with the same value.
function by_value(items, value) {
  const found = new Map();
  for (const x of items) {
    const one = value(x);
    found.set(one, [...(found.get(one) ?? []), x]);
  }
  return [...found].sort(([a], [b]) => (typeof a === "number" && typeof b === "number" ? b - a : typeof a === "number" ? -1 : typeof b === "number" ? 1 : 0));
}

function dcg_measure(v) {
  return { metric: "RS_DCG", gain: { gain: v.gain }, discount: discount(v.b ?? 2, v) };
}

function ndcg_measure(v) {
  return { ...dcg_measure(v), metric: "RS_NDCG", k: [v.k], k_ideal: [v.k], ideal: "RS_IDEAL_OF_POOL" };
}

function ldcg(core, v) {
  const judged = [...v.labels, ...v.others];
  const weights = discount(v.b, v);
  const measure = (metric, fields) => ({ metric, k: [v.M], gain: { gain: v.gain }, discount: discount(v.b, v), weights, ...fields });
  const given = { labels: v.labels, judged };
  const of_prefix = (n) => core.values(measure("RS_LDCG", { z: 0 }), { labels: falling(judged).slice(0, n) })[0];
  const lengths = Array.from({ length: Math.min(v.M, judged.length) }, (_, i) => of_prefix(i + 1));
  const best = lengths.indexOf(Math.max(...lengths.map((x) => (x === UNDECIDED ? 0 : x)))) + 1;
  const ideal = falling(judged).slice(0, best);
  const shown = running(core, dcg_measure(v), v.labels, v.M), of_ideal = running(core, dcg_measure(v), ideal, v.M);
  return {
    values: [
      [`LNDCG (M = ${v.M})`, core.values(measure("RS_LNDCG", { ideal: "RS_IDEAL_TRUE" }), given)[0]],
      ["LDCG", core.values(measure("RS_LDCG", { z: 1 }), given)[0]],
      ["ILDCG", core.values(measure("RS_ILDCG", { z: 1, ideal: "RS_IDEAL_TRUE" }), { labels: judged })[0]],
    ],
    rows: rows(v.labels.slice(0, v.M), shown, ideal, of_ideal),
    python: `rankspec.lndcg(${list(v.labels)}, k=${v.M}${option("judged", v.others.length ? list(judged) : null)}${words({ gain: v.gain, discount: log(v.b) }, { gain: "exp2" })})`,
  };
}

function phi(core, v) {
  const none = { doubles: [] };
  const points = {
    structure: "rs_points", scores: none, relevance: none, n: { integer: 0 },
    variant: v.variant === "text" ? "RS_TEXT" : "RS_AUTHORS_PROGRAM",
    quartiles: v.variant === "text" ? "RS_QUARTILES_LINEAR" : "RS_HINGES",
  };
  const measure = { points, discount: discount(v.b, v) };
  const dcg = { ...measure, metric: "RS_DCG_PHI" };
  const ideal = falling(v.labels);
  return {
    values: [
      [`nDCG_φ${at(v.k)}`, core.values({ ...measure, metric: "RS_NDCG_PHI", k: [v.k] }, v)[0]],
      [`DCG_φ${at(v.k)}`, core.values({ ...dcg, k: [v.k] }, v)[0]],
      ["of the ideal list", core.values({ ...dcg, k: [v.k] }, { labels: ideal })[0]],
    ],
    rows: rows(v.labels, running(core, dcg, v.labels, v.k), ideal, running(core, dcg, ideal, v.k)),
    python: call("ndcg_phi", v, { variant: v.variant === "text" ? null : v.variant, discount: log(v.b) }),
  };
}

function bounds(core, v) {
  const judged = [...v.labels, ...v.others];
  const given = { labels: v.labels, judged };
  const value = core.values(ndcg_measure(v), given)[0];
  const of = (bound, worst = 0) => core.values({ ...ndcg_measure(v), bound, worst }, given)[0];
  const name = `nDCG${at(v.k)}`;
  const ideal = falling(judged);
  return {
    values: [
      [`UL2 of ${name}`, of("RS_UL2")],
      [`UL1 of ${name}`, of("RS_UL1")],
      [name, value],
      ["ideal upper bound", of("RS_IUB")],
      ["mean over all rankings", of("RS_RLB")],
      ["worst ranking", of("RS_WLB", 1)],
      ["min-max, from the worst to the best", of("RS_MIN_MAX", 1)],
    ],
    scale: [["worst", of("RS_WLB", 1)], ["random", of("RS_RLB")], [name, value], ["best", of("RS_IUB")]],
    rows: rows(v.labels, running(core, dcg_measure(v), v.labels, v.k), ideal, running(core, dcg_measure(v), ideal, v.k)),
    python: `rankspec.UL2(rankspec.nDCG(${words({ k: v.k, gain: v.gain, discount: log(v.b) }).slice(2)})).of(${list(v.labels)}${option("judged", v.others.length ? list(judged) : null)})`,
  };
}

function ties(core, v) {
  if (v.scores.length !== v.labels.length) throw new RangeError(`There are ${v.scores.length} scores for ${v.labels.length} labels.`);
  const by = (rule) => {
    const { order, starts } = core.order(v.scores, v.labels, null, rule);
    return { labels: order.map((a) => v.labels[a]), starts, judged: v.labels };
  };
  const expected = by("RS_EXPECTED");
  const settled = (rule) => core.values(ndcg_measure(v), { ...by(rule), starts: undefined })[0];
  const ideal = falling(v.labels);
  return {
    values: [
      [`mean nDCG${at(v.k)} over the orders of ties`, core.values(ndcg_measure(v), expected)[0]],
      ["ties in the order of the input", settled("RS_INPUT")],
      ["the highest label first", settled("RS_BEST")],
      ["the lowest label first", settled("RS_WORST")],
    ],
    rows: rows(tied(expected), running(core, dcg_measure(v), expected.labels, v.k, expected.starts), ideal, running(core, dcg_measure(v), ideal, v.k)),
    python: `rankspec.ndcg(${list(v.labels)}, scores=${list(v.scores)}${words({ k: v.k, gain: v.gain })})`,
  };
}

// What may stand at each rank: a label, or those of a tie group.
function tied({ labels, starts }) {
  return labels.map((label, i) => {
    const begin = starts.lastIndexOf(1, i), next = starts.indexOf(1, i + 1);
    const group = labels.slice(begin, next < 0 ? labels.length : next);
    return group.length > 1 ? `one of ${group.join(", ")}` : label;
  });
}

// ---- users who stop ------------------------------------------------------------------------

function err(core, v) {
  const judged = [...v.labels, ...v.others];
  const table = Array.from({ length: v.max + 1 }, (_, g) => (2 ** g - 1) / 2 ** v.max);
  const measure = { gain: { gain: "table", table }, discount: { discount: "zipf", depth: depth(v) } };
  const of_err = { ...measure, metric: "RS_ERR" };
  const ideal = falling(judged);
  return {
    values: [
      [`ERR${at(v.k)}`, core.values({ ...of_err, k: [v.k] }, { labels: v.labels })[0]],
      [`nERR${at(v.k)}`, core.values({ ...measure, metric: "RS_NERR", k: [v.k] }, { labels: v.labels, judged })[0]],
    ],
    rows: rows(v.labels, running(core, of_err, v.labels, v.k), ideal, running(core, of_err, ideal, v.k)),
    python: call("err", v, { max: v.max }),
  };
}

function rbp(core, v) {
  const measure = { metric: "RS_RBP", theta: 1, p: v.p, discount: { discount: "geometric", p: v.p, depth: depth(v) } };
  const ideal = falling(v.labels);
  return {
    values: [[`RBP${at(v.k)}`, core.values({ ...measure, k: [v.k] }, { labels: v.labels })[0]]],
    rows: rows(v.labels, running(core, measure, v.labels, v.k), ideal, running(core, measure, ideal, v.k)),
    python: call("rbp", v, { p: v.p }),
  };
}

function sdcg(core, v) {
  const measure = {
    k: [v.k], gain: { gain: v.gain }, first: 0,
    discount: discount(v.b, { labels: v.queries.flat(), k: v.k }, "jarvelin-2008"),
    weights: discount(v.bq, { labels: v.queries }, "jarvelin-2008"),
  };
  const of = (metric, queries = v.queries, more = {}) => core.values({ ...measure, metric, ...more }, { queries })[0];
  const ideal = { padding: { integer: null }, ideal: "RS_REPEATED" };
  const totals = v.queries.map((_, q) => of("RS_SDCG", v.queries.slice(0, q + 1)));
  const b = { discount: `jarvelin-2008(b=${v.b})`, query_discount: `jarvelin-2008(b=${v.bq})` };
  return {
    values: [
      [`sDCG${at(v.k)}`, of("RS_SDCG")],
      [`nsDCG${at(v.k)}, repeated ideal`, of("RS_NSDCG", v.queries, ideal)],
    ],
    unit: "Query",
    rows: v.queries.map((query, q) => ({ shown: { label: query.join(" "), part: step(totals, q) } })),
    python: `rankspec.sdcg(${JSON.stringify(v.queries)}${words({ k: v.k, gain: v.gain, ...b })})`,
  };
}

// ---- what they share -----------------------------------------------------------------------

function depth(v) {
  return Math.max(v.labels.length + (v.others?.length ?? 0), v.k ?? 1, v.M ?? 1, 64);
}

function discount(b, v, kind = "log") {
  return { discount: kind, base: b, depth: depth(v) };
}

function falling(numbers) {
  return [...numbers].sort((a, b) => b - a);
}

// What each rank adds to the value of a list, up to the cut-off.
function running(core, measure, labels, k, starts) {
  const ranks = Math.min(k ?? labels.length, labels.length);
  if (ranks === 0) return [];
  const cutoffs = Array.from({ length: ranks }, (_, i) => i + 1);
  const totals = core.values({ ...measure, k: cutoffs }, { labels, starts, judged: labels });
  return totals.map((_, i) => step(totals, i));
}

function step(totals, i) {
  const [now, before] = [totals[i], i ? totals[i - 1] : 0];
  return now === UNDECIDED || before === UNDECIDED ? UNDECIDED : now - before;
}

function rows(labels, shown, ideal, best) {
  const of = (numbers, parts, i) => (i < numbers.length ? { label: String(numbers[i]), part: parts[i] } : undefined);
  return Array.from({ length: Math.max(labels.length, best.length) }, (_, i) => ({
    shown: of(labels, shown, i),
    ideal: i < best.length ? of(ideal, best, i) : undefined,
  }));
}

function at(k) {
  return k === null ? "" : `@${k}`;
}

// ---- the call in Python --------------------------------------------------------------------

function list(numbers) {
  return `[${numbers.join(", ")}]`;
}

function option(name, x) {
  return x === null ? "" : `, ${name}=${x}`;
}

// The options that are not the usual ones, which are here by default.
function words(options, usual = { gain: "linear" }) {
  return Object.entries(options)
    .filter(([name, x]) => x !== null && x !== usual[name])
    .map(([name, x]) => `, ${name}=${typeof x === "string" ? `"${x}"` : x}`)
    .join("");
}

function log(b) {
  return b === 2 ? null : `log(b=${b})`;
}

function call(name, v, { judged = null, ...options }) {
  return `rankspec.${name}(${list(v.labels)}${option("judged", judged && list(judged))}${words({ k: v.k, ...options })})`;
}
