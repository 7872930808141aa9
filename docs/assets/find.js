// Puts the entry whose ID a reader types first among what the search finds.
let places; // of the entries, loaded when an ID is first typed

async function placeOf(id, base) {
  places ??= fetch(new URL("search/entries.json", base)).then((x) => (x.ok ? x.json() : {}));
  return (await places)[id];
}

function itemOf(id, address) {
  const item = document.createElement("li");
  item.className = "md-search-result__item rs-found";
  const link = document.createElement("a");
  link.className = "md-search-result__link";
  link.href = address;
  const title = document.createElement("h1");
  title.textContent = id;
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
    const id = field.value.trim().toUpperCase();
    const place = /^RS-[A-Z]+-\d+$/.test(id) ? await placeOf(id, base) : undefined;
    const shown = list.querySelector(".rs-found");
    if (id !== field.value.trim().toUpperCase()) return; // more was typed
    if (shown?.textContent === (place ? id : undefined) && list.firstChild === shown) return;
    shown?.remove();
    if (place) list.prepend(itemOf(id, new URL(place, base).href));
  }

  field.addEventListener("input", show);
  new MutationObserver(show).observe(list, { childList: true });
}

document.addEventListener("DOMContentLoaded", watchSearch);
