// Fills the calculators of a page. The core is loaded when the first comes into view or is used.
import { Calculator } from "./calculator.js";
import { MEASURES } from "./measures.js";

for (const place of document.querySelectorAll(".calculator, #calculator")) start(place);
if (document.querySelector(".rs-run-vectors")) import("./run_vectors.js").then((module) => module.start());

function start(place) {
  const name = place.dataset.measure ?? "ndcg";
  const measure = MEASURES[name];
  if (!measure) return;
  place.classList.add("calculator");
  const calculator = new Calculator(place, name, measure);
  new IntersectionObserver((seen, observer) => {
    if (!seen.some((x) => x.isIntersecting)) return;
    observer.disconnect();
    calculator.show();
  }).observe(place);
}
