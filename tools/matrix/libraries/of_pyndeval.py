"""pyndeval's (ndeval's) measures of one subtopic, which judges all."""

import pyndeval

PACKAGE = "pyndeval"


def measure(name, cut):
    def function(qrels, run, k):
        judged = [(q, "1", item, int(label)) for q, _, item, label in rows(qrels)]
        ranked = [(q, item, float(score)) for q, _, item, _, score, _ in rows(run)]
        wanted = f"{name}@{k}" if cut else name
        return (
            pyndeval.RelevanceEvaluator(judged, [wanted]).evaluate(ranked).get("1", {}).get(wanted)
        )

    return function


def rows(text):
    return [line.split() for line in text.splitlines()]


GIVEN = {"form": "trec", "binary": True}
CUT = GIVEN | {"cutoff": "required", "cutoffs": [*range(1, 21)]}
ADAPTERS = {
    name: (measure(name, True), CUT)
    for name in ("P-IA", "strec", "ERR-IA", "nERR-IA", "alpha-DCG", "alpha-nDCG")
} | {name: (measure(name, False), GIVEN | {"cutoff": "never"}) for name in ("MAP-IA", "NRBP")}
