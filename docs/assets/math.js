// A formula that is wider than the page is scrolled, also by those who have no pointer.
function reachByKeyboard() {
  for (const formula of document.querySelectorAll("div.arithmatex")) {
    if (formula.scrollWidth > formula.clientWidth) formula.tabIndex = 0;
    else formula.removeAttribute("tabindex");
  }
}

document.addEventListener("DOMContentLoaded", () => {
  reachByKeyboard();
  document.fonts.ready.then(reachByKeyboard);
  window.addEventListener("resize", reachByKeyboard);
});
