// The test vectors, run by the core: each is equal, undecided, different, or not expressible.
import { Refused, UNDECIDED } from "./core.js";

const SPECIAL = { Infinity: Infinity, "-Infinity": -Infinity, NaN: NaN };
const RULES = {
  expected: "RS_EXPECTED", "id-descending": "RS_ID_DESCENDING", "id-ascending": "RS_ID_ASCENDING",
  input: "RS_INPUT", best: "RS_BEST", worst: "RS_WORST",
};

// {verdict, found, expected, reason} of a case. call: that of calls.json, or why there is none.
export function run(core, call, example) {
  if (typeof call === "string") return { verdict: "inexpressible", reason: call };
  const ask = call.vector ? core.vector : core.values;
  let found;
  try {
    found = ask.call(core, call.measure, read(core, example.input));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { verdict: "inexpressible", reason: error.message };
  }
  const k = (example.measure.of ?? example.measure).k;
  if (Array.isArray(k) && !call.vector) {
    const cutoffs = call.measure.k.map(String);
    found = k.map((one) => found[cutoffs.indexOf(String(one))]);
  }
  const expected = [example.expected].flat();
  return { verdict: compared(found, expected.map((x) => x.bits)), found, expected };
}

function compared(found, expected) {
  if (found.length !== expected.length) return "different";
  const decided = found.every((x, i) => x === UNDECIDED || bits(x) === expected[i]);
  return !decided ? "different" : found.includes(UNDECIDED) ? "undecided" : "equal";
}

// The bits of a double, as the vectors write them.
export function bits(x) {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  return view.getBigUint64(0).toString(16).padStart(16, "0");
}

// The exponent of half a unit of the last place of a double: no real that rounds to it is further
// from it than 2^exponent.
export function half_unit(x) {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  return Math.max((view.getUint16(0) >> 4) & 0x7ff, 1) - 1023 - 53;
}

export function number(x) {
  if (typeof x !== "string") return x;
  if (x in SPECIAL) return SPECIAL[x];
  return BigInt(x);
}

function read(core, input) {
  const judged = input.judged?.map(number);
  if (input.queries) return { queries: input.queries.map((x) => x.map(number)), documents: numbered(input.documents), judged };
  const labels = (input.labels ?? input.judged).map(number);
  if (!input.scores) return { labels, unjudged: input.unjudged, judged };
  return ranked(core, labels, input, judged ?? labels);
}

function ranked(core, labels, input, judged) {
  const rule = input.ties ?? (input.ids ? "id-descending" : "expected");
  if (input.unjudged && (rule === "best" || rule === "worst"))
    throw new Refused("unjudged items ordered by label: the core knows no item without one");
  const { order, starts } = core.order(input.scores.map(number), labels, input.ids && places(input.ids), RULES[rule]);
  return {
    labels: order.map((a) => labels[a]),
    starts: rule === "expected" ? starts : undefined,
    unjudged: input.unjudged && order.map((a) => input.unjudged[a]),
    judged,
  };
}

// Each id's place among all, by the bytes of UTF-8, or as integers.
function places(ids) {
  const key = (x) => (typeof x === "string" ? new TextEncoder().encode(x) : x);
  const before = (a, b) => {
    if (typeof a === "number") return a - b;
    for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i] - b[i];
    return a.length - b.length;
  };
  const sorted = [...new Set(ids)].sort((a, b) => before(key(a), key(b)));
  return ids.map((x) => sorted.indexOf(x));
}

function numbered(documents) {
  const known = new Map();
  const of = (x) => known.get(x) ?? (known.set(x, known.size), known.get(x));
  return documents?.map((query) => query.map(of));
}
