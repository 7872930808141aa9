// A formula or a plot that is wider than the page is scrolled, also by those who have no pointer.
function reachByKeyboard() {
  for (const wide of document.querySelectorAll("div.arithmatex, figure.rs-plot")) {
    if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
    else wide.removeAttribute("tabindex");
  }
}

document.addEventListener("DOMContentLoaded", () => {
  reachByKeyboard();
  document.fonts.ready.then(reachByKeyboard);
  window.addEventListener("resize", reachByKeyboard);
});
