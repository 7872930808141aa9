// Answers the cases of rankspec's test vectors by the metrics of metrics.mjs:
//
//     rankspec conform --profile recsys -- node adapters/javascript/adapter.mjs
import { createInterface } from "node:readline";
import * as metrics from "./metrics.mjs";

const can = new Set(`labels:integer labels:graded labels:fractional judged rel k k:none k:list
  gain:linear gain:exp2 gain:table discount:log discount:zipf discount:none base
  ideal:k ideal:all norm:R norm:min`.split(/\s+/));

const of = {
  CG: (m, x, J, k) => metrics.dcg(x, k, metrics.gain(m.gain), () => 1),
  DCG: (m, x, J, k) => metrics.dcg(x, k, metrics.gain(m.gain), metrics.discount(m.discount)),
  IDCG: (m, x, J, k) => metrics.idcg(J, k, metrics.gain(m.gain), metrics.discount(m.discount)),
  nDCG: (m, x, J, k) =>
    metrics.ndcg(x, J, k, m.ideal, metrics.gain(m.gain), metrics.discount(m.discount)),
  P: (m, x, J, k) => metrics.precision(x, k, m.rel),
  R: (m, x, J, k) => metrics.recall(x, J, k, m.rel),
  RR: (m, x, J, k) => metrics.reciprocalRank(x, k, m.rel),
  Success: (m, x, J, k) => metrics.success(x, k, m.rel),
  AP: (m, x, J, k) => metrics.averagePrecision(x, J, k, m.rel, m.norm),
};

function answer({ id, measure, input, requires }) {
  if (!(measure.name in of) || !requires.every((word) => can.has(word)))
    return { type: "unsupported", id, reason: measure.name };
  const { labels = [], judged = labels } = input;
  const at = (k) => of[measure.name](measure, labels, judged, k ?? undefined);
  const value = Array.isArray(measure.k) ? measure.k.map(at) : at(measure.k);
  return { type: "value", id, value };
}

const say = (message) => console.log(JSON.stringify(message));
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === "start")
    say({ type: "ready", protocol: 1, name: "example-javascript", version: "1.0", language: "JavaScript" });
  else if (message.type === "case") say(answer(message));
  else if (message.type === "stop") process.exit();
}
