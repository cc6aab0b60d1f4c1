/** Finds a Chromium for the browser tests, or gets one. */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { runNodeTool, runTool, tail } from "./tool-run.mjs";

/** Debian's packages. The first has no windows; tests take a sixth less time in it. */
const PACKAGES = ["chromium-headless-shell", "chromium"];
const NAMES = [...PACKAGES, "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const PLAYWRIGHT = "node_modules/@playwright/test/cli.js";

/** Its path; throws an error with one line that says what to do. */
export async function requireChromium(): Promise<string> {
  const given = process.env.CHROMIUM_PATH?.trim();
  if (given) {
    if (await runs(given)) return given;
    throw new Error(`CHROMIUM_PATH is ${given}, which is no Chromium that can be run.`);
  }
  const found = (await onPath()) ?? (await fromPlaywright()) ?? (await fromApt());
  if (found) return found;
  throw new Error(
    "No Chromium was found and none could be downloaded: install one, or set CHROMIUM_PATH.",
  );
}

async function onPath(): Promise<string | null> {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  for (const path of NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))) {
    if (await runs(path)) return path;
  }
  return null;
}

/** Playwright's own, downloaded if its server can be reached. */
async function fromPlaywright(): Promise<string | null> {
  const { chromium } = await import("@playwright/test");
  const path = chromium.executablePath();
  if (await runs(path)) return path;
  console.log("Downloading Playwright's Chromium …");
  const { status } = await runNodeTool([PLAYWRIGHT, "install", "chromium"], {
    env: { ...process.env, PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: "10000" },
  });
  return status === 0 && (await runs(path)) ? path : null;
}

/** Debian's, which only root can install. */
async function fromApt(): Promise<string | null> {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return null;
  console.log("Installing Chromium with apt-get …");
  let { output } = await runTool("apt-get", ["update", "-q"]);
  for (const name of PACKAGES) {
    const install = await runTool("apt-get", ["install", "-y", "-q", name], {
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
    const path = install.status === 0 ? await onPath() : null;
    if (path) return path;
    output += install.output;
  }
  console.error(tail(output, 5));
  return null;
}

/** The PATH may hold a wrapper script without a browser behind it. */
async function runs(path: string): Promise<boolean> {
  if (!existsSync(path)) return false;
  const { status, output } = await runTool(path, ["--version"]);
  return status === 0 && /\d+\.\d+/.test(output);
}
