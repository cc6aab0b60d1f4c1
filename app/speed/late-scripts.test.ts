import { expect, it } from "vitest";
import { delayScripts } from "./late-scripts.ts";

const CODE = `;
import * as route0 from "/assets/root-1.js";
import * as route1_main from "/assets/home-2.js";
const route1 = {...route1_main};
  window.__reactRouterManifest = {"a": "$& $1"};
  window.__reactRouterRouteModules = {"root":route0,"home":route1};

import("/assets/entry-3.js");`;
const PAGE = (code: string) =>
  `<head><link rel="preload" href="/font"/><link nonce="n" rel="modulepreload" href="/assets/entry-3.js"/><link rel="modulepreload" href="/assets/root-1.js"/></head><p>₹ अ</p><script nonce="n">context()</script><script nonce="n" type="module" async="">${code}</script><p>after</p>`;
const delayed = (html: string) => delayScripts(Buffer.from(html)).toString();

it("what a page loads at once is named to be loaded later, and nothing else is changed", () => {
  const html = delayed(PAGE(CODE));
  expect(html).toMatch(
    /^<head><link rel="preload" href="\/font"\/><\/head><p>₹ अ<\/p><script nonce="n">context\(\)<\/script><script nonce="n" type="module" async="">\(function waitForVisitor\(.*<\/script><p>after<\/p>$/s,
  );
  expect(html).toContain(
    '(["/assets/entry-3.js","/assets/root-1.js"],{"alive":"page-alive","words":',
  );
  expect(html).toContain(
    'const [route0,route1_main]=await Promise.all([import("/assets/root-1.js"),import("/assets/home-2.js")])',
  );
  expect(html).toContain("const route1 = {...route1_main};");
  expect(html).toContain('window.__reactRouterManifest = {"a": "$& $1"};');
  expect(html).toContain('return import("/assets/entry-3.js");');
  expect(html).not.toMatch(/^import /m);
});

it.each([
  ["without scripts", "<head></head><p>text</p>"],
  ["with an import of another kind", PAGE(`import "/@vite/client";${CODE}`.replace(";", ";\n"))],
  ["with another end", PAGE(CODE.replace(/import\("[^"]+"\);$/, "start()"))],
])("a page %s stays as it is", (_, html) => {
  expect(delayed(html)).toBe(html);
});
