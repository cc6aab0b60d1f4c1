import { defineConfig } from "@playwright/test";

// Tests of a file that want the same browser get the one before, emptied of cookies, storage, routes
// and pages: a new one costs more than most tests. A Playwright that no longer knows it is only slower.
process.env.PW_TEST_REUSE_CONTEXT = "1";
// The app runs in the workers, where React would else be its slow development build.
process.env.NODE_ENV = "production";

/**
 * A list given here replaces Playwright's own, so what counts on loopback is kept from it. Each window of
 * a whole Chromium would open two pages for its address bar, which nobody sees and which cost more than ours.
 */
const NOT_WANTED = [
  ...["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"],
  ...["AvoidUnnecessaryBeforeUnloadCheckSync", "AvoidCorsURLLoaderRestartOnRedirect"],
  ...["HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable", "PaintHolding"],
  ...["DestroyProfileOnBrowserClose", "ThirdPartyStoragePartitioning", "MediaRouter"],
  ...["OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch"],
];

export default defineConfig({
  // The built server is loaded as it is: to parse its two megabytes again would take longer than a file of tests.
  build: { external: ["**/build/server/**"] },
  testDir: "tests/browser",
  // Not above test-results itself: Playwright empties its folder, and reports stand beside it.
  outputDir: "test-results/browser",
  // A file stays with one worker, which starts the app for it.
  fullyParallel: false,
  // Most tests wait for answers: three keep two processors busy.
  workers: 3,
  // On a machine that others share, a slow moment must not refuse what was submitted; the run names it.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: Boolean(process.env.CI),
  timeout: 180_000,
  expect: { timeout: 20_000 },
  reporter: [["list"], ["json", { outputFile: "test-results/browser.json" }]],
  use: {
    browserName: "chromium",
    locale: "en-IN",
    timezoneId: "Asia/Kolkata",
    // Shorter than the test's limit, so that a failure says what it was waiting for.
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH,
      // The sandbox of Chromium needs what containers withhold; the rest keeps it from calling home.
      args: [
        `--disable-features=${NOT_WANTED.join(",")}`,
        // One process draws all pages of a test, and of the next.
        "--renderer-process-limit=1",
        "--disable-site-isolation-trials",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
