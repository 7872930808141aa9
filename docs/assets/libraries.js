// The pages of the libraries: find rows of their tables, and the smallest input on which two functions differ.
document.addEventListener("DOMContentLoaded", () => {
  const find = document.getElementById("rs-find");
  if (!find) return;
  const bodies = [...document.querySelectorAll("#rs-libraries tbody")];
  find.addEventListener("input", () => filter(bodies, find.value));
  const pair = document.querySelector(".rs-pair");
  if (pair) pick(pair);
});

function filter(bodies, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const body of bodies) {
    const [head, ...rows] = body.rows;
    let shown = 0;
    for (const row of rows) {
      const content = (head.textContent + " " + row.textContent).toLowerCase();
      row.hidden = !words.every((word) => content.includes(word));
      shown += !row.hidden;
    }
    body.hidden = shown === 0;
    count += shown;
  }
  document.getElementById("rs-found").textContent = words.length ? `${count} functions` : "";
}

function pick(place) {
  const [one, other] = place.querySelectorAll("select");
  const out = document.getElementById("rs-differ");
  other.innerHTML = one.innerHTML; // the same functions
  const given = new URLSearchParams(location.search);
  const choose = (select, name) => {
    const option = [...select.options].find((x) => x.textContent.trim() === name);
    if (option) select.value = option.value;
  };
  choose(one, given.get("a") ?? "scikit-learn: ndcg_score");
  choose(other, given.get("b") ?? "ranx: ndcg");
  const files = new Map();
  const read = (name) => {
    if (!files.has(name)) files.set(name, fetch(`${place.dataset.folder}${name}.json`).then((x) => x.json()));
    return files.get(name);
  };
  const show = async () => {
    const picked = [one.value, other.value];
    const names = picked.map((x) => x.split("#"));
    const [inputs, pairs, ...libraries] = await Promise.all(["inputs", "pairs", ...names.map(([x]) => x)].map(read));
    if (picked[0] !== one.value || picked[1] !== other.value) return; // others were picked since
    const [f, g] = libraries.map((x, i) => ({ ...x[names[i][1]], key: picked[i] }));
    const found = smallest(inputs, f, g);
    const more = pairs[picked.join("|")] ?? swapped(pairs[picked.toReversed().join("|")]);
    out.replaceChildren(...(picked[0] === picked[1] ? [element("p", "Pick two.")] : said(f, g, found, more)));
  };
  one.addEventListener("change", show);
  other.addEventListener("change", show);
  // only who looks at the pairs needs their files
  new IntersectionObserver((seen, observer) => {
    if (!seen.some((x) => x.isIntersecting)) return;
    observer.disconnect();
    show();
  }).observe(place);
}

function swapped(more) {
  return more?.predicted ? { ...more, predicted: more.predicted.toReversed() } : more;
}

// The first input with two answers, or how many were compared.
function smallest(inputs, f, g) {
  let count = 0;
  for (const [i, input] of inputs.entries()) {
    const answers = [f.answers[i], g.answers[i]];
    if (answers.includes(null)) continue;
    count += 1;
    const predicted = [f, g].map((x) => x.predicted?.includes(i) ?? false);
    if (differ(...answers, Math.max(f.near, g.near))) return { input, answers, predicted, count };
  }
  return { count };
}

function differ(x, y, near) {
  if (typeof x !== "number" || typeof y !== "number") return x !== y;
  return Math.abs(x - y) > near * Math.max(1, Math.abs(x));
}

function said(f, g, found, more) {
  if (found.input) {
    const note = `Number ${found.count} of the inputs that both can be asked, the smallest first.`;
    return [table(found.input, f, g, found.answers, found.predicted), element("p", note)];
  }
  const none = found.count ? `They agree on all ${found.count} inputs of the small world that both can be asked.` : "There is no input of the small world that both can be asked.";
  if (!more || more.unknown) return [element("p", `${none} One of them has no known definition, so that no other input can be compared.`)];
  if (!more.input) return [element("p", `${none} Their definitions agree on ${more.compared} more inputs.`)];
  return [element("p", `${none} Their definitions differ:`), table(more.input, f, g, more.predicted, [true, true])];
}

const WORDS = { nan: "NaN", none: "no value", error: "an error", crash: "the end of the process", timeout: "no end" };

function table([labels, scores, unseen, k, names], f, g, answers, predicted) {
  const rows = [["labels", labels.map((l) => l ?? "unjudged").join(", ") || "none"]];
  rows.push(["scores", scores.join(", ") || "none"]);
  if (names) rows.push(["ids", names.join(", ")]);
  if (unseen.length) rows.push(["judged, not in the list", unseen.join(", ")]);
  rows.push(["k", k ?? "none"]);
  for (const [i, { name, key }] of [f, g].entries()) {
    const answer = WORDS[answers[i]] ?? answers[i];
    rows.push([name, predicted[i] ? `${answer} (predicted)` : answer, key.replace("#", "/#")]);
  }
  const made = element("table", "");
  made.className = "rs";
  for (const [name, value, link] of rows) {
    const row = made.insertRow();
    const head = element("th", link ? "" : name);
    if (link) head.append(Object.assign(element("a", name), { href: link }));
    row.append(head, element("td", value));
  }
  const frame = element("div", "");
  frame.className = "rs-table";
  frame.append(made);
  return frame;
}

function element(name, text) {
  return Object.assign(document.createElement(name), { textContent: text });
}
