// Check that real Playwright finds by each locator the one element that it was generated for.
//
//     node check_locators.mjs EXECUTABLE < cases.json
//
// A case is {url, items: [{locator, path}]}. Print a JSON list of {url, locator, count, path, expected} of those that fail.

import { createRequire } from "node:module";

const require = createRequire(`${process.env.NODE_MODULES}/`);
const { chromium, selectors } = require("playwright");

// As in `PATH` of test_locators.py.
const pathOf = (element) => {
  const path = [];
  for (let at = element; at; at = at.parentNode ?? at.host) {
    if (at.nodeType === 11) path.unshift("root");
    else if (at.nodeType === 1) path.unshift(`${at.localName}:${at.parentNode ? [...at.parentNode.children].indexOf(at) : 0}`);
  }
  return path.join(" ");
};

const read = async () => {
  let text = "";
  for await (const chunk of process.stdin) text += chunk;
  return JSON.parse(text);
};

const [executable, testId] = process.argv.slice(2);
if (testId) selectors.setTestIdAttribute(testId);
const browser = await chromium.launch({ executablePath: executable, args: ["--no-sandbox"] });
const failures = [];
for (const { url, items } of await read()) {
  const page = await browser.newPage();
  await page.goto(url);
  for (const { locator, path: expected } of items) {
    try {
      const found = Function("page", `return page.${locator}`)(page);
      const count = await found.count();
      const path = count === 1 ? await found.evaluate(pathOf) : "";
      if (path !== expected) failures.push({ url, locator, count, path, expected });
    } catch (error) {
      failures.push({ url, locator, count: -1, path: String(error), expected });
    }
  }
  await page.close();
}
await browser.close();
console.log(JSON.stringify(failures));
