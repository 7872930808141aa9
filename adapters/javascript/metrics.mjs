// Ranking metrics of one list: what an adapter stands in front of.

const quotient = (x, y) => (y === 0 ? 0 : x / y);
const sum = (xs) => xs.reduce((total, x) => total + x, 0);
const falling = (labels) => [...labels].sort((a, b) => b - a);
const hits = (labels, k, rel) => labels.slice(0, k).map((label) => label >= rel);
const count = (flags) => flags.filter(Boolean).length;

const gains = {
  linear: () => (label) => label,
  exp2: () => (label) => 2 ** label - 1,
  table: (table) => (label) => table[label],
};

const discounts = {
  log: (base) => (rank) => Math.log(base) / Math.log(rank + 1),
  zipf: () => (rank) => 1 / rank,
  none: () => () => 1,
};

export const gain = ({ kind, table }) => gains[kind](table);
export const discount = ({ kind, base }) => discounts[kind](base);

export const dcg = (labels, k, gainOf, discountOf) =>
  sum(labels.slice(0, k).map((label, i) => gainOf(label) * discountOf(i + 1)));

export const idcg = (judged, k, gainOf, discountOf) => dcg(falling(judged), k, gainOf, discountOf);

export const ndcg = (labels, judged, k, ideal, gainOf, discountOf) =>
  quotient(
    dcg(labels, k, gainOf, discountOf),
    idcg(judged, ideal === "k" ? k : undefined, gainOf, discountOf),
  );

export const precision = (labels, k, rel) =>
  quotient(count(hits(labels, k, rel)), k ?? labels.length);

export const recall = (labels, judged, k, rel) =>
  quotient(count(hits(labels, k, rel)), count(hits(judged, undefined, rel)));

export const reciprocalRank = (labels, k, rel) => {
  const first = hits(labels, k, rel).indexOf(true);
  return first < 0 ? 0 : 1 / (first + 1);
};

export const success = (labels, k, rel) => (hits(labels, k, rel).includes(true) ? 1 : 0);

export const averagePrecision = (labels, judged, k, rel, norm) => {
  let found = 0;
  const precisions = hits(labels, k, rel).map((hit, i) => (hit ? ++found / (i + 1) : 0));
  const relevant = count(hits(judged, undefined, rel));
  return quotient(sum(precisions), norm === "min" ? Math.min(relevant, k ?? Infinity) : relevant);
};
