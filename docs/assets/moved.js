// Follows an old address of an entry or section to where it stands now (docs/hooks/moved.py).
function follow() {
  const anchor = decodeURIComponent(location.hash.slice(1));
  const link = document.getElementById(anchor)?.closest(".rs-moved li")?.querySelector("a[href]");
  if (link) location.replace(link.href.split("#")[0] + "#" + anchor);
}

document.addEventListener("DOMContentLoaded", follow);
window.addEventListener("hashchange", follow);
