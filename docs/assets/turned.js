// The index of the search is larger than all else that a page loads. Material asks for it at once;
// here the request waits until a reader turns to the search.
(() => {
  const { open, send } = XMLHttpRequest.prototype;
  const search = document.querySelector("[data-md-component=search]");
  const toggle = document.getElementById("__search");
  const turned = new Promise((resolve) => {
    search?.addEventListener("focusin", resolve);
    toggle?.addEventListener("change", resolve);
    if (new URLSearchParams(location.search).has("q")) resolve();
  });
  XMLHttpRequest.prototype.open = function (method, url, ...others) {
    this.waits = String(url).includes("search/search_index.json");
    return open.call(this, method, url, ...others);
  };
  XMLHttpRequest.prototype.send = function (...body) {
    if (this.waits) turned.then(() => send.apply(this, body));
    else send.apply(this, body);
  };
})();
