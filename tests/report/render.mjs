// SPDX-License-Identifier: Apache-2.0
// Opens pages in headless Chromium at desktop and phone width, light and dark: takes a picture of
// each, runs axe-core, and looks for what a reader would trip over. One line a finding on stdout.
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
    if (box.width > 0 && box.right > limit) {
      found.push(`${element.tagName} ${element.className?.baseVal ?? element.className} ends at ${Math.round(box.right)}`);
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
for (const page of pages) {
  for (const [device, width] of Object.entries(WIDTHS)) {
    for (const scheme of SCHEMES) {
      const where = `${path.basename(page)} ${device} ${scheme}`;
      const tab = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
      tab.on('request', (request) => {
        if (!request.url().startsWith('file:') || request.resourceType() !== 'document') say(where, `loads ${request.url()}`);
      });
      tab.on('console', (message) => say(where, `console: ${message.text()}`));
      await tab.goto(pathToFileURL(path.resolve(page)).href);
      for (const text of await tab.evaluate(wider)) say(where, text);
      for (const text of await tab.evaluate(overlapping)) say(where, text);
      const name = `${path.basename(page, '.html')}-${device}-${scheme}.png`;
      await tab.screenshot({ path: path.join(output, name), fullPage: true });
      ++pictures;
      await tab.evaluate(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }));
      await tab.addScriptTag({ path: axe });
      const result = await tab.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
      for (const violation of result.violations) {
        say(where, `axe ${violation.id}: ${violation.help}, ${violation.nodes.length} times, e.g. ${violation.nodes[0].target.join(' ')}`);
      }
      await tab.close();
    }
  }
}
await browser.close();
console.log(`${pages.length} pages, ${pictures} pictures, ${findings} findings`);
process.exit(findings === 0 ? 0 : 1);
