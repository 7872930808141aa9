// Sets the formulas that pymdownx.arithmatex marks: \(...\) in the line, \[...\] displayed.
document.addEventListener("DOMContentLoaded", () => {
  for (const element of document.querySelectorAll(".arithmatex")) {
    const source = element.textContent.trim();
    katex.render(source.slice(2, -2), element, {
      displayMode: source.startsWith("\\["),
      throwOnError: false,
    });
    joinPunctuation(element);
  }
  reachByKeyboard();
  document.fonts.ready.then(reachByKeyboard);
  window.addEventListener("resize", reachByKeyboard);
});

// A formula that is wider than the page is scrolled, also by those who have no pointer.
function reachByKeyboard() {
  for (const formula of document.querySelectorAll("div.arithmatex")) {
    if (formula.scrollWidth > formula.clientWidth) formula.tabIndex = 0;
    else formula.removeAttribute("tabindex");
  }
}

// No line begins with what ends a clause: it stays with the last part of the formula before it.
function joinPunctuation(formula) {
  const text = formula.nextSibling;
  const mark = text?.nodeType === Node.TEXT_NODE && text.data.match(/^[.,;:!?)]+/);
  const last = formula.querySelector(".katex-html > .katex-base:last-child");
  if (mark && last) {
    last.append(mark[0]);
    text.data = text.data.slice(mark[0].length);
  }
}
