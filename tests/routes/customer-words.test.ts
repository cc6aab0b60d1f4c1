/**
 * What customers read: "captain" but in the seed's own sentences, and the seed's word for a moved session.
 * And every page as it is without scripts.
 */
import { beforeAll, expect, it } from "vitest";
import { sessionCookie, signIn } from "#tests/support/admin.ts";
import { sharedApp } from "#tests/support/hooks.ts";
import { LIKE, type Scene } from "#tests/support/scene.ts";
import { POLICIES, stageScenes } from "#tests/support/scenes.ts";

/** Said in these words by the seed. */
const OF_THE_SEED = ["Please select a counselor and date first"];

const COUNSELOR = /counsell?or/i;

const app = sharedApp();
let scenes: Scene[];
let pages: Scene[];
beforeAll(async () => {
  scenes = await stageScenes(app);
  const staffs = /^\/admin/;
  pages = scenes.filter(({ area, path }) => area === "public" && !staffs.test(path));
}, 120_000);

/** Its labels for screen readers and its head included. */
async function textOf(answer: Promise<Response>): Promise<string> {
  const html = await (await answer).text();
  const said = [...html.matchAll(/ (?:content|aria-label|title|alt|placeholder)="([^"]*)"/g)];
  const text = html
    .replace(/<(script|style)[\s\S]*?<\/\1>|<!--.*?-->/g, "")
    .replace(/<[^>]+>/g, " ");
  const words = [text, ...said.map(([, label]) => label)].join(" ").replace(/\s+/g, " ");
  return OF_THE_SEED.reduce((rest, sentence) => rest.replaceAll(sentence, ""), words);
}

const headers = { Accept: "text/html" };
const read = (path: string) => textOf(fetch(app.origin + path, { headers }));

it("on every public page a captain is called a captain", async () => {
  expect(pages.length).toBeGreaterThan(25);
  let captains = 0;
  for (const { name, path } of pages) {
    const words = await read(path);
    expect(words, name).not.toMatch(COUNSELOR);
    if (/captain/i.test(words)) captains += 1;
  }
  expect(captains).toBeGreaterThan(20);
});

it("a refused form says captain too", async () => {
  const body = new URLSearchParams({ name: "A" });
  const words = await textOf(fetch(`${app.origin}/?index`, { method: "POST", body, headers }));
  expect(words).toContain("Please select a captain");
  expect(words).not.toMatch(COUNSELOR);
});

it("a moved session is called rescheduled, in the heading and on the pass", async () => {
  const moved = pages.find(({ name }) => name === "booking-moved");
  const words = await read(moved!.path);
  expect(words).toContain("Your session is rescheduled");
  expect(words).toMatch(/State: Rescheduled/);
});

it("customers' mails say captain", () => {
  const mails = app.sandbox.mailbox.list({});
  expect(mails.filter(({ text }) => /Capt(ain|\.)/.test(text)).length).toBeGreaterThan(5);
  for (const { subject, text } of mails) {
    expect(`${subject} ${text}`, subject).not.toMatch(COUNSELOR);
  }
});

/** Buttons that send nothing where no script runs. */
function deadButtons(html: string): string[] {
  const enabled = (part: string) =>
    (part.match(/<button\b[^>]*>/g) ?? []).filter((tag) => !/ (disabled|hidden)=/.test(tag));
  const outside = enabled(html.replaceAll(/<form\b.*?<\/form>/gs, ""));
  return [
    ...enabled(html).filter((tag) => / type="(button|reset)"/.test(tag)),
    ...outside.filter((tag) => !tag.includes(' form="')),
  ];
}

it("each page is whole without scripts", async () => {
  const names = scenes.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(Object.entries(LIKE).flat()));
  const Cookie = sessionCookie((await signIn(app)).data.token);
  for (const { name, path, area, act, status } of scenes) {
    if (act || status) continue;
    const asked = area === "admin" ? { ...headers, Cookie } : headers;
    const answer = await fetch(app.origin + path, { headers: asked });
    expect(answer.status, name).toBe(200);
    const sent = await answer.text();
    const html = sent.replaceAll(/<(script|style)\b.*?<\/\1>|<!--.*?-->/gs, "");
    expect(html.match(/<h1\b/g), name).toHaveLength(1);
    expect(html.match(/<main\b/g), name).toHaveLength(1);
    const text = /<main\b.*<\/main>/s.exec(html)![0].replaceAll(/<[^>]*>/g, "");
    expect(text.length, name).toBeGreaterThan(80);
    expect(text, name).not.toMatch(/undefined|NaN|\[object|Loading/);
    expect(deadButtons(html), name).toEqual([]);

    expect(html, name).toMatch(/<title>[^<]{5}/);
    const isPublic = ["/", ...POLICIES.map((policy) => `/${policy}`)].includes(path);
    const isPrivate = !isPublic && name !== "captain";
    const isKept =
      /name="robots" content="noindex/.test(html) || answer.headers.has("X-Robots-Tag");
    expect(isKept, name).toBe(isPrivate);
    const preview = html.includes(`property="og:url" content="${app.origin}${path}"`);
    expect(preview, name).toBe(!isPrivate);
  }
});
