// Puts the section whose ID or name a reader types first among what the search finds.
let firsts; // loaded when something is first typed

const bare = (name) => name.replace(/[\s_*^()-]/g, "").toLowerCase(); // as in hooks/searching.py

async function firstOf(typed, base) {
  firsts ??= fetch(new URL("search/firsts.json", base)).then((x) => (x.ok ? x.json() : {}));
  const known = await firsts;
  return known[bare(typed)] ?? known[bare(typed.replace(/[@_]\s*\d+$/, ""))];
}

function itemOf(heading, address) {
  const item = document.createElement("li");
  item.className = "md-search-result__item rs-found";
  const link = document.createElement("a");
  link.className = "md-search-result__link";
  link.href = address;
  const title = document.createElement("h1");
  title.textContent = heading;
  const article = document.createElement("article");
  article.className = "md-search-result__article md-typeset";
  article.append(title);
  link.append(article);
  item.append(link);
  return item;
}

function watchSearch() {
  const field = document.querySelector("[data-md-component=search-query]");
  const list = document.querySelector(".md-search-result__list");
  const config = document.getElementById("__config");
  if (!field || !list || !config) return;
  const base = new URL(JSON.parse(config.textContent).base, location.href);

  async function show() {
    const typed = field.value.trim();
    const [place, heading] = (typed && (await firstOf(typed, base))) || [];
    const shown = list.querySelector(".rs-found");
    if (typed !== field.value.trim()) return; // more was typed
    if (shown?.textContent === heading && list.firstChild === shown) return;
    shown?.remove();
    if (place) list.prepend(itemOf(heading, new URL(place, base).href));
  }

  field.addEventListener("input", show);
  new MutationObserver(show).observe(list, { childList: true });
}

document.addEventListener("DOMContentLoaded", watchSearch);
