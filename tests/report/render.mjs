// SPDX-License-Identifier: Apache-2.0
// Opens pages in headless Chromium at desktop and phone width, light and dark: takes a picture of
// each, runs axe-core, and looks for what a reader would trip over, folded and unfolded. One line a
// finding on stdout. In a page `spoilt-EYE.html` the function EYE must find something on a phone.
//   node render.mjs TOOLS_FOLDER CHROMIUM OUTPUT_FOLDER PAGE.html...
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [tools, chromium, output, ...pages] = process.argv.slice(2);
const require = createRequire(path.join(path.resolve(tools), 'package.json'));
const playwright = require('playwright-core');
const axe = require.resolve('axe-core/axe.min.js');

const WIDTHS = { desktop: 1280, phone: 390 };
const SCHEMES = ['light', 'dark'];

// What is wider than the screen, but for what scrolls by itself.
function wider() {
  const limit = document.documentElement.clientWidth + 1;
  const found = [];
  if (document.documentElement.scrollWidth > limit) found.push('the page scrolls sideways');
  for (const element of document.querySelectorAll('body *')) {
    if (element.closest('.wide, details:not([open])')) continue;
    const box = element.getBoundingClientRect();
    if (box.width > 0 && (box.right > limit || box.left < -1)) {
      found.push(`${element.tagName} ${element.className?.baseVal ?? element.className} is from ${Math.round(box.left)} to ${Math.round(box.right)}`);
    }
  }
  return found.slice(0, 5);
}

// Labels of one picture that lie on each other.
function overlapping() {
  const found = [];
  for (const svg of document.querySelectorAll('svg')) {
    const texts = [...svg.querySelectorAll('text')].filter((t) => t.textContent.trim() !== '');
    const boxes = texts.map((t) => t.getBoundingClientRect());
    for (let i = 0; i < boxes.length && found.length < 5; ++i) {
      for (let j = i + 1; j < boxes.length; ++j) {
        const [a, b] = [boxes[i], boxes[j]];
        const x = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (x > 2 && y > 4) found.push(`"${texts[i].textContent}" and "${texts[j].textContent}" overlap`);
      }
    }
  }
  return found;
}

// Text that its own element hides.
function cut() {
  const found = [];
  for (const element of document.querySelectorAll('body *')) {
    if (element.closest('svg, details:not([open])') || element.clientWidth === 0) continue;
    const style = getComputedStyle(element);
    const hides = ['hidden', 'clip'].includes(style.overflowX) || ['hidden', 'clip'].includes(style.overflowY);
    const over = element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1;
    if (hides && over) found.push(`${element.tagName} ${element.className} cuts "${element.textContent.trim().slice(0, 30)}"`);
  }
  return found.slice(0, 5);
}

// Numbers, with their units, that stand on two lines.
function broken() {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node && found.length < 5; node = walker.nextNode()) {
    if (node.parentElement.closest('style, svg, details:not([open]) > :not(summary)')) continue;
    for (const match of node.data.matchAll(/\d[\d,.]*(?:\u00a0[^\s,;]+)*/g)) {
      const range = document.createRange();
      range.setStart(node, match.index);
      range.setEnd(node, match.index + match[0].length);
      const tops = [...range.getClientRects()].filter((r) => r.width > 0).map((r) => r.top);
      if (Math.max(...tops) - Math.min(...tops) > 3) found.push(`"${match[0]}" is on two lines`);
    }
  }
  return found;
}

// What scrolls sideways and does not say so, or cannot be reached by keys.
function silent() {
  const found = [];
  for (const frame of document.querySelectorAll('.wide')) {
    if (frame.closest('details:not([open])') || frame.scrollWidth <= frame.clientWidth + 1) continue;
    const words = frame.querySelector('.more');
    const box = words?.getBoundingClientRect();
    const said = box && box.width > 100 && box.height > 10 && getComputedStyle(words).display !== 'none';
    if (!said || frame.tabIndex !== 0) found.push(`"${frame.getAttribute('aria-label')}" scrolls and does not say so`);
  }
  return found;
}

const EYES = [wider, overlapping, cut, broken, silent];
async function look(tab, where) {
  for (const eye of EYES) {
    for (const text of await tab.evaluate(eye)) say(where, text);
  }
}

let pictures = 0;
let findings = 0;
const say = (where, what) => {
  ++findings;
  console.log(`${where}: ${what}`);
};

const browser = await playwright.chromium.launch({
  executablePath: chromium,
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});
const open = async (page, width, scheme, where) => {
  const tab = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
  tab.on('request', (request) => {
    if (!request.url().startsWith('file:') || request.resourceType() !== 'document') say(where, `loads ${request.url()}`);
  });
  tab.on('console', (message) => say(where, `console: ${message.text()}`));
  await tab.goto(pathToFileURL(path.resolve(page)).href);
  return tab;
};
const unfold = (tab) => tab.evaluate(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }));

const spoilt = pages.filter((page) => path.basename(page).startsWith('spoilt-'));
const good = pages.filter((page) => !spoilt.includes(page));
for (const page of good) {
  for (const [device, width] of Object.entries(WIDTHS)) {
    for (const scheme of SCHEMES) {
      const where = `${path.basename(page)} ${device} ${scheme}`;
      const tab = await open(page, width, scheme, where);
      await look(tab, where);
      const name = `${path.basename(page, '.html')}-${device}-${scheme}.png`;
      await tab.screenshot({ path: path.join(output, name), fullPage: true });
      ++pictures;
      await unfold(tab);
      await look(tab, `${where} unfolded`);
      await tab.addScriptTag({ path: axe });
      const result = await tab.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
      for (const violation of result.violations) {
        say(where, `axe ${violation.id}: ${violation.help}, ${violation.nodes.length} times, e.g. ${violation.nodes[0].target.join(' ')}`);
      }
      await tab.close();
    }
  }
}
for (const page of spoilt) {
  const tab = await open(page, WIDTHS.phone, 'light', path.basename(page));
  const eye = EYES.find((each) => path.basename(page) === `spoilt-${each.name}.html`);
  if (!eye || (await tab.evaluate(eye)).length === 0) say(path.basename(page), 'is spoilt, and nothing was found');
  await tab.close();
}
await browser.close();
console.log(`${good.length} pages, ${pictures} pictures, ${spoilt.length} spoilt pages, ${findings} findings`);
process.exit(findings === 0 ? 0 : 1);
