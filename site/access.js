// SPDX-License-Identifier: Apache-2.0
// What the theme leaves out for readers who use a keyboard or a screen reader: names for its
// regions, and a way into what scrolls.
function complete() {
  document.querySelector(".md-search")?.setAttribute("aria-label", "Search");
  document
    .querySelectorAll("pre > code, .md-typeset__scrollwrap")
    .forEach((region) => region.setAttribute("tabindex", "0"));
  document.querySelectorAll("nav").forEach((nav, number) => {
    const labels = (nav.getAttribute("aria-labelledby") ?? "").split(" ").filter(Boolean);
    const named = labels.map((id) => document.getElementById(id)?.textContent.trim()).join(" ");
    const name = named || nav.dataset.name || nav.getAttribute("aria-label") || "Pages";
    nav.dataset.name = name;
    nav.removeAttribute("aria-labelledby");
    nav.setAttribute("aria-label", `${name} (${number + 1})`);
  });
}

// The theme adds some of them after the page is there.
let waiting = false;
new MutationObserver(() => {
  if (waiting) return;
  waiting = true;
  setTimeout(() => {
    waiting = false;
    complete();
  }, 50);
}).observe(document.documentElement, { childList: true, subtree: true });
document.addEventListener("DOMContentLoaded", complete);
