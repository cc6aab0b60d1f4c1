/**
 * The fixtures of the browser tests: the app runs in the worker itself and is started anew for each file, with a
 * new database and sandbox, so that no file meets the bookings of another. A test fails on any console error,
 * page error or policy violation that it did not expect.
 */
import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Page,
} from "@playwright/test";
import { startTestApp, type TestApp } from "#tests/helpers/app.ts";

export { expect };

/** Refusals and failures are part of many tests. What is queued wakes the app's jobs: often looking costs a tenth of a run. */
const QUIET = { env: { LOG_LEVEL: "fatal", WORKER_INTERVAL_MS: "1000" } };

/** What went wrong in any page of the test. */
export interface Problems {
  /** A message that matches is expected, for example the console's line about a 409. */
  allow(pattern: RegExp): void;
  watch(context: BrowserContext): Promise<void>;
}

interface TestFixtures {
  app: TestApp;
  problems: Problems;
  /** A page in which no script runs. */
  noJsPage: Page;
}

interface WorkerFixtures {
  /** The app of this file; the one of the file before is stopped. Worker and browser stay. */
  appOf(file: string): Promise<TestApp>;
  /** As Playwright keeps the context with scripts for the tests of a file. */
  noJsContextOf(options: BrowserContextOptions): Promise<BrowserContext>;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  appOf: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from it.
    async ({}, use) => {
      let current: { file: string; app: TestApp } | null = null;
      await use(async (file) => {
        if (current?.file !== file) {
          await current?.app.stop();
          current = null;
          current = { file, app: await startTestApp(QUIET) };
        }
        return current.app;
      });
      await (current as { app: TestApp } | null)?.app.stop();
    },
    { scope: "worker" },
  ],

  noJsContextOf: [
    async ({ browser }, use) => {
      let current: { key: string; context: BrowserContext } | null = null;
      await use(async (options) => {
        const key = JSON.stringify(options);
        if (current?.key !== key) {
          await current?.context.close();
          current = { key, context: await browser.newContext(options) };
        }
        return current.context;
      });
    },
    { scope: "worker" },
  ],

  app: async ({ appOf }, use, { file }) => use(await appOf(file)),

  baseURL: async ({ app }, use) => use(app.origin),

  problems: [
    // biome-ignore lint/correctness/noEmptyPattern: as above.
    async ({}, use) => {
      const seen: string[] = [];
      const allowed: RegExp[] = [];
      await use({ allow: (pattern) => allowed.push(pattern), watch: (it) => watch(it, seen) });
      const unexpected = seen.filter((text) => !allowed.some((pattern) => pattern.test(text)));
      expect(unexpected, "errors in the browser").toEqual([]);
    },
    { auto: true },
  ],

  context: async ({ context, problems }, use) => {
    await problems.watch(context);
    await use(context);
  },

  page: async ({ page }, use) => {
    const { goto } = page;
    page.goto = async (url, options) => {
      const response = await goto.call(page, url, options);
      // Not where a test looks at the page before its scripts.
      if (options?.waitUntil !== "commit") await waitUntilAlive(page);
      return response;
    };
    await use(page);
  },

  noJsPage: async ({ noJsContextOf, contextOptions, baseURL, problems }, use) => {
    const context = await noJsContextOf({ ...contextOptions, baseURL, javaScriptEnabled: false });
    await problems.watch(context);
    const page = await context.newPage();
    await use(page);
    for (const event of WATCHED) context.removeAllListeners(event);
    await context.unrouteAll();
    await context.clearCookies();
    for (const one of context.pages()) await one.close();
  },
});

/**
 * Waits until React has taken the page over: a click before that does what the HTML says. The entry
 * is a dynamic import, for which the load event does not wait. A page without our scripts is as it is.
 */
async function waitUntilAlive(page: Page): Promise<void> {
  // A visitor who is about to do something: scripts that are late come now.
  await page.evaluate(() => dispatchEvent(new FocusEvent("focusin")));
  // The first effects have run: one of them, ScrollRestoration's, is seen from outside.
  await page.waitForFunction(
    () => !("__reactRouterContext" in window) || history.scrollRestoration === "manual",
  );
}

/** Keeps back what matches until the answered function is called, and counts what has asked. */
export async function hold(page: Page, pattern: string | RegExp) {
  const released = Promise.withResolvers<void>();
  let asked = 0;
  await page.route(pattern, async (route) => {
    asked += 1;
    await released.promise;
    // A page that has been left asks for nothing more, nor one whose later call replaces this one.
    await route.continue().catch(() => {});
  });
  const release = async () => {
    released.resolve();
    await page.unroute(pattern);
  };
  return Object.assign(release, { asked: () => asked });
}

const WATCHED = ["console", "weberror"];

async function watch(context: BrowserContext, seen: string[]): Promise<void> {
  context.on("console", (message) => {
    if (message.type() === "error") seen.push(`console: ${message.text()}`);
  });
  context.on("weberror", (error) => seen.push(`page: ${error.error().message}`));
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      console.error(`policy: ${event.violatedDirective} refuses ${event.blockedURI}`);
    });
  });
}
