/** Finds a Chromium for the browser tests, or gets one. */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { runNodeTool, runTool } from "./tool-run.ts";

/** Debian's packages. The first is Chromium without windows: the tests take a sixth less time in it. */
const PACKAGES = ["chromium-headless-shell", "chromium"];

const NAMES = [...PACKAGES, "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

const MAC_APPLICATIONS = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

const PLAYWRIGHT = "node_modules/@playwright/test/cli.js";

/** Its path; throws an error with one line that says what to do. */
export async function requireChromium(): Promise<string> {
  const given = process.env.CHROMIUM_PATH?.trim();
  if (given) {
    if (await answers(given)) return given;
    throw new Error(`CHROMIUM_PATH is ${given}, which is no Chromium that can be run.`);
  }
  const found = (await installedChromium()) ?? (await playwrightChromium());
  if (found) return found;
  if (canUseApt()) {
    console.log("Installing Chromium with apt-get …");
    let { output } = await runTool("apt-get", ["update", "-q"]);
    for (const name of PACKAGES) {
      const install = await runTool("apt-get", ["install", "-y", "-q", name], {
        env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
      });
      const installed = install.status === 0 ? await installedChromium() : null;
      if (installed) return installed;
      output += install.output;
    }
    console.error(output.trimEnd().split("\n").slice(-5).join("\n"));
  }
  throw new Error(
    "No Chromium was found and none could be downloaded: install one, or set CHROMIUM_PATH.",
  );
}

async function installedChromium(): Promise<string | null> {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  for (const path of [...onPath, ...MAC_APPLICATIONS]) {
    if (existsSync(path) && (await answers(path))) return path;
  }
  return null;
}

/** Playwright's own, downloaded if its server can be reached. */
async function playwrightChromium(): Promise<string | null> {
  const { chromium } = await import("@playwright/test");
  const path = chromium.executablePath();
  if (existsSync(path) && (await answers(path))) return path;
  console.log("Downloading Playwright's Chromium …");
  const { status } = await runNodeTool([PLAYWRIGHT, "install", "chromium"], {
    env: { ...process.env, PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: "10000" },
  });
  return status === 0 && existsSync(path) && (await answers(path)) ? path : null;
}

/** The PATH may hold a wrapper script without a browser behind it. */
async function answers(path: string): Promise<boolean> {
  const { status, output } = await runTool(path, ["--version"]);
  return status === 0 && /\d+\.\d+/.test(output);
}

function canUseApt(): boolean {
  return process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
}
