// A button at each entry of the spec, which shows how to cite it: in a sentence, and as BibTeX.
const AUTHOR = "The rankspec developers";
const ENTRY = /^RS-[A-Z]+-\d+$/;

// The page's address without its query and anchor, or "" where it is a file of the reader's.
function address() {
  return location.protocol.startsWith("http") ? location.origin + location.pathname : "";
}

function today() {
  const now = new Date();
  const two = (x) => String(x).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

// What stands in the heading beside the ID, its link and this button.
function titleOf(heading) {
  const copy = heading.cloneNode(true);
  const beside = ".rs-label, .headerlink, .rs-cite";
  copy.querySelectorAll(beside).forEach((x) => x.remove());
  return copy.textContent.replace(/\s+/g, " ").trim();
}

function citation(id, title, chapter, version, url, date) {
  const place = url ? `, ${url}#${id}` : "";
  const sentence = `${AUTHOR}: ${id}, ${title}. rankspec ${version}, chapter “${chapter}”${place}`;
  const fields = {
    author: `{${AUTHOR}}`,
    title: `${id}: ${title}`,
    howpublished: `rankspec ${version}, chapter ${chapter}`,
    ...(url ? { url: `${url}#${id}`, urldate: date } : {}),
  };
  const escaped = (x) => x.replace(/[%&$#_]/g, "\\$&");
  const line = ([name, x]) => `  ${name} = {${name === "url" ? x : escaped(x)}},`;
  const bibtex = [`@misc{rankspec-${id},`, ...Object.entries(fields).map(line), "}"];
  return { sentence, bibtex: bibtex.join("\n") };
}

function copyButton(text) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  });
  return button;
}

function part(name, element, text) {
  const block = document.createElement("section");
  const head = document.createElement("p");
  head.append(name);
  if (navigator.clipboard) head.append(" ", copyButton(text)); // pages over http have none
  element.textContent = text;
  block.append(head, element);
  return block;
}

function show(heading, page) {
  const { version, chapter } = page.dataset;
  const made = citation(heading.id, titleOf(heading), chapter, version, address(), today());
  const dialog = document.createElement("dialog");
  dialog.className = "rs-cite-dialog";
  dialog.setAttribute("aria-label", `Cite ${heading.id}`);
  const close = document.createElement("button");
  close.type = "button";
  close.textContent = "Close";
  close.addEventListener("click", () => dialog.close());
  dialog.append(
    part("In a sentence", document.createElement("p"), made.sentence),
    part("BibTeX", document.createElement("pre"), made.bibtex),
    close,
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function addButtons() {
  const page = document.getElementById("rs-cite");
  if (!page) return;
  for (const heading of document.querySelectorAll("h1[id], h2[id]")) {
    if (!ENTRY.test(heading.id)) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "rs-cite";
    button.textContent = "cite";
    button.setAttribute("aria-label", `Cite ${heading.id}`);
    button.addEventListener("click", () => show(heading, page));
    heading.append(button);
  }
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", addButtons);
else addButtons();
