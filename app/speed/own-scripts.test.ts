import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { newNonce, takeOutNonce } from "./own-scripts.ts";

const sourceOf = (code: string) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`;
const taken = (html: string, nonce: string) => {
  const { page, scripts } = takeOutNonce(Buffer.from(html), nonce);
  return { html: page.toString(), scripts };
};

describe("the scripts of our own rendering", () => {
  it("are named by their hashes, and the nonce is not sent", () => {
    const nonce = newNonce();
    const mark = `nonce="${nonce}"`;
    const { html, scripts } = taken(
      `<link ${mark} rel="x"/><script ${mark}>one("अ")</script><b>₹</b><script type="module" ${mark} async="">two()</script><script ${mark} src="/a.js"></script><script ${mark}></script>`,
      nonce,
    );
    expect(html).toBe(
      '<link rel="x"/><script>one("अ")</script><b>₹</b><script type="module" async="">two()</script><script src="/a.js"></script><script></script>',
    );
    expect(scripts).toEqual([sourceOf('one("अ")'), sourceOf("two()")]);
  });

  it("are no others, whatever was let into the page", () => {
    const nonce = newNonce();
    const injected = [
      "<script>steal()</script>",
      '<script nonce="">steal()</script>',
      `<script nonce="${newNonce()}">steal()</script>`,
      "<SCRIPT>steal()</SCRIPT>",
    ].join("");
    const { html, scripts } = taken(
      `${injected}<script nonce="${nonce}">own()</script>${injected}`,
      nonce,
    );
    expect(html).toBe(`${injected}<script>own()</script>${injected}`);
    expect(scripts).toEqual([sourceOf("own()")]);
    expect(taken(injected, nonce)).toEqual({ html: injected, scripts: [] });
  });

  it("have a nonce that is new each time", () => {
    const nonces = Array.from({ length: 100 }, newNonce);
    expect(new Set(nonces).size).toBe(100);
    for (const nonce of nonces) expect(nonce).toMatch(/^[\w-]{22}$/);
  });
});
