/** The fixtures with every scene staged in the worker's app, and what is measured on all of them. */
import { readFileSync } from "node:fs";
import type { Page, Response } from "@playwright/test";
import type axe from "axe-core";
import type { TestApp } from "#tests/helpers/app.ts";
import type { Scene } from "#tests/support/scene.ts";
import { stageScenes } from "#tests/support/scenes.ts";
import { signInPage } from "./admin-desk.ts";
import { test as base, expect } from "./fixtures.ts";

interface Staged {
  scenes: Scene[];
}

const staged = new WeakMap<TestApp, Promise<Scene[]>>();

export const test = base.extend<Staged>({
  scenes: async ({ app }, use) => {
    if (!staged.has(app)) staged.set(app, stageScenes(app));
    await use(await staged.get(app)!);
  },
});

/** Goes there as the one who may, and does there what the scene is about. */
export async function visit(page: Page, app: TestApp, scene: Scene): Promise<Response | null> {
  const isSignedIn = (await page.context().cookies()).some(({ name }) =>
    /admin_session/.test(name),
  );
  if (scene.area !== "admin") await page.context().clearCookies();
  else if (!isSignedIn) await signInPage(page, app);
  const response = await page.goto(scene.path);
  if (scene.area === "admin") expect(response?.status(), scene.name).toBe(scene.status ?? 200);
  if (scene.act) await scene.act(page);
  return response;
}

/** Of WCAG 2.2 axe has the size of targets alone, with exceptions that `smallTargets` does not make. */
const LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"];
const CONTRAST = "color-contrast";

const AXE = readFileSync("node_modules/axe-core/axe.min.js", "utf8");

/** Each page of the test comes with axe, compiled once: handed to a page later it costs as much as a run. */
export const loadAxeWithPages = (page: Page) => page.addInitScript({ content: AXE });

/** What axe finds, each as its rule and the first element: all it knows, without contrast, or that alone. */
export async function faultsOf(
  page: Page,
  { contrast = true, others = true } = {},
): Promise<unknown[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const options: axe.RunOptions = {
    runOnly: others ? { type: "tag", values: LEVELS } : { type: "rule", values: [CONTRAST] },
    rules: { [CONTRAST]: { enabled: contrast } },
    iframes: false,
    resultTypes: ["violations"],
  };
  return page.evaluate(async (wanted) => {
    const { run } = (window as unknown as { axe: typeof axe }).axe;
    // What fades in is looked at once it stands.
    const short = document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().endTime) <= 1000);
    await Promise.allSettled(short.map(({ finished }) => finished));
    // The provider's window is not ours.
    const { violations } = await run({ exclude: ["iframe"] }, wanted);
    return violations.map(({ id, nodes }) => [id, nodes[0]?.html, nodes[0]?.any[0]?.message]);
  }, options);
}

/** How far the document is wider than the window, in pixels. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
}

/** Links and controls smaller than 24 px in either direction, links within a sentence apart. */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const targets = document.querySelectorAll<HTMLElement>(
      "a[href], button, input:not([type=hidden]), select, textarea, summary",
    );
    for (const target of targets) {
      if (target.closest(".sr-only, [aria-hidden=true]") || !target.checkVisibility()) continue;
      // What labels a control is clicked with it.
      const label = (target as HTMLInputElement).labels?.[0];
      const box = (label ?? target).getBoundingClientRect();
      const own = target.getBoundingClientRect();
      const height = Math.max(box.height, own.height);
      const width = Math.max(box.width, own.width);
      if (width === 0 || height === 0) continue;
      if (getComputedStyle(target).display === "inline" && isInSentence(target)) continue;
      if (width < 24 || height < 24)
        found.push(`${target.outerHTML.slice(0, 120)} ${width}×${height}`);
    }
    return found;

    function isInSentence(element: HTMLElement): boolean {
      const around = element.parentElement?.textContent ?? "";
      return around.trim().length > (element.textContent ?? "").trim().length;
    }
  });
}
