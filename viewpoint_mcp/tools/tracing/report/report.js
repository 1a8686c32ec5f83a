// Marks the shown call in the list, and goes to the next and the previous one with the keys j and k. Without the script,
// the links of the list still work.
"use strict";

const links = [...document.querySelectorAll("nav a")];

function shownIndex() {
  return Math.max(0, links.findIndex((link) => link.hash === location.hash));
}

function markShownCall() {
  for (const link of links) link.removeAttribute("aria-current");
  const shown = links[shownIndex()];
  if (!shown) return;
  shown.setAttribute("aria-current", "true");
  shown.scrollIntoView({ block: "nearest" });
  document.querySelector("main").scrollTop = 0;
}

addEventListener("hashchange", markShownCall);
addEventListener("keydown", (event) => {
  const step = { j: 1, k: -1 }[event.key];
  if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
  const next = links[shownIndex() + step];
  if (next) location.hash = next.hash;
});
markShownCall();
