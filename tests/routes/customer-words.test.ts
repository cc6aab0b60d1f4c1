/** Every page as it is without scripts; the public ones say "captain". */
import { expect, it } from "vitest";
import { sessionCookie, signIn } from "#tests/support/admin.ts";
import { sharedApp } from "#tests/support/hooks.ts";
import { LIKE } from "#tests/support/scene.ts";
import { POLICIES, stageScenes } from "#tests/support/scenes.ts";

const app = sharedApp();

/** Its labels for screen readers and its head included; but for the seed's own sentence. */
function wordsIn(html: string): string {
  const said = [...html.matchAll(/ (?:content|aria-label|title|alt|placeholder)="([^"]*)"/g)];
  const text = html.replaceAll(/<[^>]+>/g, " ");
  const words = [text, ...said.map(([, label]) => label)].join(" ").replaceAll(/\s+/g, " ");
  return words.replaceAll("Please select a counselor and date first", "");
}

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

it("each page is whole without scripts, and of the public ones each says captain", async () => {
  const scenes = await stageScenes(app);
  const names = scenes.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(Object.entries(LIKE).flat()));
  const Cookie = sessionCookie((await signIn(app)).data.token);
  const headers = { Accept: "text/html" };
  let captains = 0;
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
    if (area === "public" && !path.startsWith("/admin")) {
      const words = wordsIn(html);
      expect(words, name).not.toMatch(/counsell?or/i);
      if (/captain/i.test(words)) captains += 1;
    }

    expect(html, name).toMatch(/<title>[^<]{5}/);
    const isPublic = ["/", ...POLICIES.map((policy) => `/${policy}`)].includes(path);
    const isPrivate = !isPublic && name !== "captain";
    const isKept =
      /name="robots" content="noindex/.test(html) || answer.headers.has("X-Robots-Tag");
    expect(isKept, name).toBe(isPrivate);
    const preview = html.includes(`property="og:url" content="${app.origin}${path}"`);
    expect(preview, name).toBe(!isPrivate);
  }
  expect(captains).toBeGreaterThan(20);
});
