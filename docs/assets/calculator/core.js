// The C core of rankspec in a page: it takes a measure and rankings as plain data, and gives doubles.
//
// layout: what docs/hooks/calculators.py reads in csrc/rankspec.h, {version, constants: {name: number},
// structures: {name: [[field, type], ...]}}. A double that the core gives is the one nearest to the
// true value; where it can prove none, the value is UNDECIDED.

export const UNDECIDED = Symbol("undecided");

export class Refused extends Error {}

const SIZES = { u8: 1, i32: 4, u32: 4, pointer: 4, i64: 8, u64: 8, f64: 8 };
const WHOLE = 9223372036854775807n;
const MOST_OPEN = 256;
const LABELS = { RS_U8: [Uint8Array, Number], RS_I64: [BigInt64Array, BigInt], RS_F64: [Float64Array, Number] };

export async function load(wasm, layout) {
  const bytes = await (wasm instanceof Promise ? wasm : Promise.resolve(wasm));
  let memory;
  const { instance } = await WebAssembly.instantiate(bytes, {
    wasi_snapshot_preview1: {
      random_get: (at, size) => (crypto.getRandomValues(new Uint8Array(memory.buffer, at, size)), 0),
      clock_time_get: () => 0,
    },
  });
  memory = instance.exports.memory;
  instance.exports._initialize();
  return new Core(instance.exports, layout);
}

class Core {
  constructor(exports, layout) {
    Object.assign(this, { exports, layout, rooms: [] });
    this.structures = Object.fromEntries(Object.entries(layout.structures).map(([name, fields]) => [name, placed(fields)]));
  }

  // The values of a measure at its cut-offs, of one list or session. measure: {metric, k: [...], and
  // fields of rs_measure}. given: {labels, starts, unjudged} or {queries, documents}; judged
  values(measure, given) {
    return this.#freeing(() => {
      const of = this.#structure("rs_measure", this.#measure(measure));
      const n = measure.k.length;
      const to = { out: this.#room(8 * n), undecided: this.#room(n) };
      const trouble = this.#structure("rs_trouble", {});
      const column = this.#structure("rs_column", to);
      const [call, shown, pools] = given.queries ? this.#session(given) : this.#list(given);
      this.#check(call(shown, pools, 1n, of, 1n, column, trouble));
      return this.#read(to.out, to.undecided, n);
    });
  }

  // The vector of a session, of which its value is an average.
  vector(measure, given) {
    return this.#freeing(() => {
      const by = this.#structure("rs_measure", this.#measure({ ...measure, k: [] }));
      const [, shown, pools] = this.#session(given);
      const length = this.#room(8), refused = this.#room(8), in_pool = this.#room(4);
      const k = whole(measure.k[0]);
      const call = (out, undecided) =>
        this.#check(this.exports.rs_session_vectors(shown, pools, 1n, by, k, length, out, undecided, refused, in_pool));
      call(0, 0);
      const n = Number(this.#view().getBigInt64(length, true));
      const out = this.#room(8 * n), undecided = this.#room(n);
      call(out, undecided);
      return this.#read(out, undecided, n);
    });
  }

  // {order, starts}: the positions of scored labels in rank order, and where tie groups begin.
  order(scores, labels, ids, rule) {
    return this.#freeing(() => {
      const n = labels.length;
      const lists = this.#structure("rs_lists", this.#lists([labels]));
      const order = this.#room(8 * n), starts = this.#room(n), refused = this.#room(8);
      const type = scores.some((x) => typeof x === "bigint") ? "RS_I64" : "RS_F64";
      const of_ids = ids ? this.#integers(ids) : 0;
      this.#check(
        this.exports.rs_order(this.#numbers(scores, type), this.#constant(type), lists, 1n, of_ids, this.#constant(rule), order, starts, refused),
      );
      const buffer = this.exports.memory.buffer;
      return {
        order: [...new BigInt64Array(buffer, order, n)].map(Number),
        starts: [...new Uint8Array(buffer, starts, n)],
      };
    });
  }

  // ---- what the core is given

  #measure({ k, k_ideal, ...fields }) {
    const plain = Object.fromEntries(Object.entries(fields).map(([name, x]) => [name, this.#argument(x)]));
    const size = this.structures.rs_measure.size;
    return { ...plain, size, k: this.#cutoffs(k), nk: k.length, k_ideal: k_ideal ? this.#cutoffs(k_ideal) : 0 };
  }

  #cutoffs(k) {
    return this.#integers(k.map(whole));
  }

  #argument(x) {
    if (x === null) return 0;
    if (typeof x === "string") return this.#constant(x);
    if (typeof x !== "object") return x;
    if ("gain" in x) {
      const table = x.table ?? [];
      const kind = { linear: "RS_LINEAR", exp2: "RS_EXP2", table: "RS_TABLE" }[x.gain];
      return this.#structure("rs_gain", { table: this.#numbers(table, "RS_F64"), size: table.length, kind: this.#constant(kind) });
    }
    if ("discount" in x) return this.#discount(x, Math.max(64, x.depth));
    if ("doubles" in x) return this.#numbers(x.doubles, "RS_F64");
    if ("integer" in x) return whole(x.integer);
    const { structure, ...fields } = x;
    return this.#structure(structure, Object.fromEntries(Object.entries(fields).map(([name, y]) => [name, this.#argument(y)])));
  }

  #list(given) {
    const starts = given.starts ? this.#bytes(given.starts) : 0;
    const unjudged = given.unjudged ? this.#bytes(given.unjudged) : 0;
    const shown = this.#structure("rs_lists", { ...this.#lists([given.labels]), starts, unjudged });
    const pools = given.judged ? this.#structure("rs_lists", this.#lists([given.judged])) : shown;
    return [this.exports.rs_values, shown, pools];
  }

  #session({ queries, documents, judged }) {
    const lists = this.#structure("rs_lists", this.#lists(queries));
    const shown = this.#structure("rs_sessions", {
      lists,
      sessions: this.#integers([0, queries.length]),
      documents: documents ? this.#integers(documents.flat()) : 0,
    });
    const pools = judged ? this.#structure("rs_lists", this.#lists([judged])) : 0;
    return [this.exports.rs_values_of_sessions, shown, pools];
  }

  #lists(lists) {
    const labels = lists.flat();
    const offsets = [0];
    for (const list of lists) offsets.push(offsets.at(-1) + list.length);
    const type = type_of(labels);
    return {
      labels: this.#numbers(labels, type),
      offsets: this.#integers(offsets),
      type: this.#constant(type),
      size: this.structures.rs_lists.size,
    };
  }

  // ---- tables of discounts, as compute/tables.py of the package makes them: RS-NUM-4

  #discount(of, depth) {
    const low = this.#room(4 * depth), high = this.#room(8 * depth);
    const { exponent, unit } = this.#fill(of, depth, low, high);
    const sum_low = this.#room(8 * (depth + 1)), sum_high = this.#room(8 * (depth + 1));
    this.exports.rs_sum_entries(low, high, BigInt(depth), sum_low, sum_high);
    return this.#structure("rs_discount", { low, high, sum_low, sum_high, depth, unit, exponent });
  }

  #fill(of, depth, low, high) {
    if (of.discount === "zipf") {
      this.exports.rs_inverse_entries(BigInt(depth), low, high);
      return { exponent: -95, unit: 1 };
    }
    if (of.discount === "none" || of.discount === "weights" || of.discount === "geometric") {
      const made = of.discount === "geometric" ? powers(of.p, depth) : weights(of.weights ?? [1], depth);
      made.entries.forEach((entry, i) => this.#write_entry(low, high, i, entry));
      return made;
    }
    return this.#logarithm(of, depth, low, high);
  }

  #logarithm(of, depth, low, high) {
    const by = logarithm(of);
    for (const i of by.fields ? this.#open_entries(by, depth, low, high) : ranks(1, depth)) this.#write_entry(low, high, i - 1, by.entry(BigInt(i)));
    return { exponent: by.exponent, unit: 1 };
  }

  // Has the core make the table; what is returned are the ranks that it leaves open.
  #open_entries(by, depth, low, high) {
    const open = this.#room(8 * MOST_OPEN);
    const at = this.#structure("rs_logarithm", by.fields);
    const n = this.#check(this.exports.rs_discount_logarithm(at, BigInt(depth), low, high, open, BigInt(MOST_OPEN)));
    if (n > MOST_OPEN) throw new Refused("too many entries of the discount are open");
    const left = [...new BigInt64Array(this.exports.memory.buffer, open, n)].map(Number);
    return [...ranks(1, Math.min(Number(by.fields.first) - 1, depth)), ...left];
  }

  #write_entry(low, high, i, entry) {
    this.#view().setUint32(low + 4 * i, Number(entry & 0xffffffffn), true);
    this.#view().setBigUint64(high + 8 * i, entry >> 32n, true);
  }

  // ---- memory

  #freeing(work) {
    try {
      return work();
    } finally {
      for (const at of this.rooms.splice(0)) this.exports.free(at);
    }
  }

  #room(size) {
    const at = this.exports.malloc(Math.max(size, 8));
    if (at === 0) throw new Error("out of memory");
    this.rooms.push(at);
    return at;
  }

  #view() {
    return new DataView(this.exports.memory.buffer); // anew, as memory that grows has another buffer
  }

  #numbers(numbers, type) {
    const [Numbers, read] = LABELS[type];
    const at = this.#room(numbers.length * Numbers.BYTES_PER_ELEMENT);
    new Numbers(this.exports.memory.buffer, at, numbers.length).set(numbers.map(read));
    return at;
  }

  #integers(numbers) {
    return this.#numbers(numbers, "RS_I64");
  }

  #bytes(numbers) {
    return this.#numbers(numbers, "RS_U8");
  }

  #structure(name, values) {
    const { fields, size } = this.structures[name];
    const at = this.#room(size);
    new Uint8Array(this.exports.memory.buffer, at, size).fill(0);
    const view = this.#view();
    for (const [field, x] of Object.entries(values)) {
      const { type, offset } = fields[field] ?? fail(`${name} has no field ${field}`);
      if (type === "f64") view.setFloat64(at + offset, x, true);
      else if (SIZES[type] === 8) view.setBigInt64(at + offset, BigInt(x), true);
      else view.setInt32(at + offset, x, true);
    }
    return at;
  }

  #constant(name) {
    return this.layout.constants[name] ?? fail(`there is no ${name}`);
  }

  #check(found) {
    const code = Number(found);
    if (code === this.#constant("RS_REFUSED")) throw new Refused("the measure cannot take a label, or a score");
    if (code < 0) throw new Error(`the core returned ${code}`);
    return code;
  }

  #read(out, undecided, n) {
    const buffer = this.exports.memory.buffer;
    const flags = new Uint8Array(buffer, undecided, n);
    return [...new Float64Array(buffer, out, n)].map((x, i) => (flags[i] ? UNDECIDED : x));
  }
}

// Where the fields of a structure are, each at a multiple of its size, as C for wasm32 has it.
function placed(fields) {
  let end = 0, widest = 1;
  const up = (x, size) => Math.ceil(x / size) * size;
  const found = {};
  for (const [name, type] of fields) {
    const size = SIZES[type];
    found[name] = { type, offset: up(end, size) };
    end = found[name].offset + size;
    widest = Math.max(widest, size);
  }
  return { fields: found, size: up(end, widest) };
}

function type_of(labels) {
  if (labels.every((x) => typeof x === "number" && Number.isInteger(x) && x >= 0 && x < 256)) return "RS_U8";
  if (labels.every((x) => typeof x === "bigint" || (Number.isInteger(x) && Math.abs(x) <= 2 ** 53))) return "RS_I64";
  if (labels.some((x) => typeof x === "bigint" && BigInt(Number(x)) !== x)) throw new Refused("labels that no array holds");
  return "RS_F64";
}

function whole(k) {
  if (k === null) return WHOLE;
  const n = BigInt(k);
  return n < WHOLE ? n : WHOLE;
}

function fail(message) {
  throw new Error(message);
}

// ---- discounts as integers: everything below is exact, or too small by less than is said

const BITS = 96n; // of an entry
const POINT = 400n; // bits behind the point of a logarithm

// A number as {n, d}, exactly: a double, or a text "n/d".
export function fraction(x) {
  if (typeof x === "string") {
    const [n, d = "1"] = x.split("/");
    return { n: BigInt(n), d: BigInt(d) };
  }
  let d = 1n;
  while (!Number.isInteger(x)) [x, d] = [x * 2, d * 2n];
  return { n: BigInt(x), d };
}

// The entries of given weights; unit 0 where each is exact.
function weights(given, depth) {
  const all = Array.from({ length: depth }, (_, i) => fraction(given[Math.min(i, given.length - 1)]));
  const scale = BITS - bits(all[0].n) + bits(all[0].d) - 1n;
  let unit = 0;
  const entries = all.map(({ n, d }) => {
    const [above, below] = scale >= 0n ? [n << scale, d] : [n, d << -scale];
    if (above % below) unit = 1;
    return above / below;
  });
  return { entries, exponent: -Number(scale), unit };
}

// Those of p^(i-1), the discount of RBP: RS-NUM-15.
function powers(p, depth) {
  const { n, d } = fraction(p);
  const guard = 64n, entries = [];
  let power = 1n << (BITS - 1n + guard);
  for (let i = 0; i < depth; i++) {
    entries.push(power >> guard);
    power = (power * n) / d;
  }
  return { entries, exponent: -95, unit: 2 };
}

// How the discount lb b / lb x(i), which is 1 below the rank `first`, becomes a table: {exponent, entry,
// fields}. entry: of a rank; fields: of the rs_logarithm, by which the core makes them (RS-NUM-28), or
// null where it does not.
function logarithm({ discount, base }) {
  const b = fraction(base);
  const less = { n: b.n - b.d, d: b.d }; // b - 1
  const { x, s, plus = false, first = 1n } = {
    log: { x: (i) => ({ n: i + 1n, d: 1n }), s: 1n },
    "jarvelin-2008": { x: (i) => ({ n: b.n * i, d: b.d }), s: 0n, plus: true },
    "jarvelin-2002": { x: (i) => ({ n: i, d: 1n }), s: 0n, first: (b.n + b.d - 1n) / b.d },
    "jiang-2016": { x: (i) => ({ n: i * b.d + less.n, d: b.d }), s: b.d === 1n ? less.n : null },
  }[discount] ?? fail(`there is no discount ${discount}`);
  const lb = lb_of(b);
  const largest = first > 1n ? 1n << POINT : (lb << POINT) / lb_of(x(1n));
  const exponent = bits(largest) - POINT + 1n - BITS; // d(1) < 2^(exponent + 96)
  const point = 128n - bits(lb) + POINT;
  const C = lb >> (POINT - point), A = plus ? lb >> (POINT - 120n) : 0n;
  const low = (1n << 64n) - 1n;
  const fields = {
    b_high: BigInt.asIntN(64, C >> 64n), b_low: BigInt.asIntN(64, C & low),
    a_high: A >> 64n, a_low: BigInt.asIntN(64, A & low),
    s, first, shift: Number(120n - exponent - point),
  };
  return {
    exponent: Number(exponent),
    entry: (i) => (i < first ? 1n << -exponent : floor_of_quotient(b, x(i), -exponent)),
    fields: s === null ? null : fields,
  };
}

// floor(2^scale lb b / lb x). Where the logarithms do not tell, the quotient is an integer if some power
// of b is one of x.
function floor_of_quotient(b, x, scale) {
  const above = lb_of(b), below = lb_of(x);
  const least = (above << scale) / (below + 2n), most = ((above + 2n) << scale) / below;
  if (least === most) return least;
  let [p, q] = [most, 1n << scale]; // lb b / lb x = p / q, if b^q = x^p
  while (p % 2n === 0n && q > 1n) [p, q] = [p / 2n, q / 2n];
  if (most === least + 1n && p < 1000n && q < 1000n && b.n ** q * x.d ** p === x.n ** p * b.d ** q) return most;
  throw new Refused("an entry of the discount is open");
}

function ranks(first, last) {
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, i) => first + i);
}

// The logarithm of n / d >= 1 to base 2 in units of 2^-POINT, too small by less than 2: by squares.
function lb_of({ n, d }) {
  const fine = 2n * POINT + 64n; // a square doubles what the number lacks
  let t = bits(n) - bits(d);
  if (n < d << t) t -= 1n; // 2^t <= n / d
  let x = ((n << fine) / d) >> t;
  let found = t;
  for (let i = 0n; i < POINT; i++) {
    x = (x * x) >> fine;
    const bit = x >> (fine + 1n);
    found = (found << 1n) | bit;
    x >>= bit;
  }
  return found;
}

function bits(x) {
  return BigInt(x.toString(2).length);
}
