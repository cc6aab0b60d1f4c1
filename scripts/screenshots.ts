/**
 * `npm run screenshots [-- --only home]`: every page and state of the running app into `screenshots/`,
 * in both themes, four widths, with scripts and without.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type BrowserContext, chromium, type Page } from "@playwright/test";
import { requireChromium } from "#scripts/process/chromium.ts";
import { ensureBuild } from "#scripts/process/production-build.ts";
import { startTestApp } from "#tests/helpers/app.ts";
import { signIn } from "#tests/support/admin.ts";
import type { Scene } from "#tests/support/scene.ts";
import { stageScenes } from "#tests/support/scenes.ts";

const FOLDER = "screenshots";
const WIDTHS = [360, 768, 1280, 1920] as const;
const THEMES = ["light", "dark"] as const;

const { values } = parseArgs({ options: { only: { type: "string", default: "" } } });
if (!(await ensureBuild())) process.exit(1);
const app = await startTestApp({ separateProcess: true });
const browser = await chromium.launch({
  executablePath: await requireChromium(),
  args: ["--no-sandbox", "--disable-gpu", "--hide-scrollbars"],
});
try {
  await takeScenes(values.only);
} finally {
  await browser.close();
  await app.stop();
}

async function takeScenes(only: string): Promise<void> {
  if (only === "") rmSync(FOLDER, { recursive: true, force: true });
  const scenes = (await stageScenes(app)).filter(({ name }) => name.includes(only));
  const { data } = await signIn(app);
  let count = 0;
  for (const scripts of [true, false]) {
    const context = await browser.newContext({
      baseURL: app.origin,
      locale: "en-IN",
      timezoneId: "Asia/Kolkata",
      reducedMotion: "reduce",
      javaScriptEnabled: scripts,
    });
    for (const scene of scenes) {
      if (scene.act && !scripts) continue;
      // As an admin, or as a stranger who holds no time.
      await context.clearCookies();
      const headers = { Authorization: `Bearer ${data.token}` };
      if (scene.area !== "public") await context.request.post("/api/admin/session", { headers });
      count += await takeScene(context, scene, join(FOLDER, scripts ? "scripts" : "no-scripts"));
    }
    await context.close();
  }
  console.log(`${count} pictures in ${FOLDER}/`);
}

/** One visit: the theme and the width change under the open page, as they do for a person. */
async function takeScene(context: BrowserContext, scene: Scene, folder: string): Promise<number> {
  const page = await context.newPage();
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto(scene.path);
  await scene.act?.(page);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: width < 700 ? 800 : 1000 });
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      await showLazyPictures(page);
      const into = join(folder, `${width}-${colorScheme}`);
      mkdirSync(into, { recursive: true });
      await page.screenshot({ path: join(into, `${scene.name}.png`), fullPage: true });
    }
  }
  await page.close();
  return WIDTHS.length * THEMES.length;
}

async function showLazyPictures(page: Page): Promise<void> {
  for (const picture of await page.locator('img[loading="lazy"]').all()) {
    if (await picture.isVisible()) await picture.scrollIntoViewIfNeeded();
  }
}
