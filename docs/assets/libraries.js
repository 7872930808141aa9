// The page of the libraries: finds rows of the table, and the smallest input on which two functions differ.
document.addEventListener("DOMContentLoaded", () => {
  const find = document.getElementById("rs-find");
  if (!find) return;
  const bodies = [...document.querySelectorAll("#rs-libraries tbody")];
  const filter = () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const body of bodies) {
      const [head, ...rows] = body.rows;
      let shown = 0;
      for (const row of rows) {
        const text = (head.textContent + " " + row.textContent).toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
        shown += !row.hidden;
      }
      body.hidden = shown === 0;
      count += shown;
    }
    document.getElementById("rs-found").textContent = words.length ? `${count} functions` : "";
  };
  find.addEventListener("input", filter);
  open();
  window.addEventListener("hashchange", open);
  pick();
});

// A link into a folded function unfolds it.
function open() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target?.tagName === "DETAILS") {
    target.open = true;
    target.scrollIntoView();
  }
}

async function pick() {
  const place = document.querySelector(".rs-pair");
  const [one, other] = place.querySelectorAll("select");
  const out = document.getElementById("rs-differ");
  const given = new URLSearchParams(location.search);
  const named = (select, name, number) => {
    const option = [...select.options].find((x) => x.textContent === name);
    select.value = option ? option.value : String(number);
  };
  let world;
  const show = async () => {
    world ??= await (await fetch(place.dataset.world)).json();
    out.replaceChildren(...answer(world, +one.value, +other.value));
  };
  named(one, given.get("a") ?? "scikit-learn: ndcg_score", 0);
  named(other, given.get("b") ?? "ranx: ndcg", 1);
  one.addEventListener("change", show);
  other.addEventListener("change", show);
  show();
}

function answer(world, a, b) {
  const [f, g] = [world.functions[a], world.functions[b]];
  let asked = 0;
  for (const [i, input] of world.inputs.entries()) {
    const [x, y] = [f.answers[i], g.answers[i]];
    if (x === null || y === null) continue;
    asked += 1;
    if (differ(x, y, Math.max(f.near, g.near))) return described(input, f, x, g, y, asked);
  }
  const said = asked ? `They agree on all ${asked} inputs that both can be asked.` : "There is no input that both can be asked.";
  return [element("p", said)];
}

function differ(x, y, near) {
  if (typeof x !== "number" || typeof y !== "number") return x !== y;
  return Math.abs(x - y) > near * Math.max(1, Math.abs(x));
}

function described([labels, scores, unseen, k, names], f, x, g, y, asked) {
  const tied = new Set(scores).size < scores.length;
  const rows = [["labels", labels.map((l) => l ?? "unjudged").join(", ") || "none"]];
  rows.push(["scores", scores.join(", ") || "none"]);
  if (tied) rows.push(["ids", names.join(", ")]);
  if (unseen.length) rows.push(["judged, not in the list", unseen.join(", ")]);
  rows.push(["k", k ?? "none"], [f.name, x, f.anchor], [g.name, y, g.anchor]);
  const table = element("table", "");
  table.className = "rs";
  for (const [name, value, anchor] of rows) {
    const row = table.insertRow();
    const head = element("th", anchor ? "" : name);
    if (anchor) head.append(Object.assign(element("a", name), { href: "#" + anchor }));
    row.append(head, element("td", value));
  }
  const frame = element("div", "");
  frame.className = "rs-table";
  frame.append(table);
  return [frame, element("p", `Number ${asked} of the inputs that both can be asked, the smallest first.`)];
}

function element(name, text) {
  return Object.assign(document.createElement(name), { textContent: text });
}
