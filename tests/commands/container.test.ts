/** The container without an engine: its steps in empty folders, then its commands in what came out. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { freePort } from "#scripts/process/ports.ts";
import { type Environment, testEnvironment } from "#tests/helpers/environment.ts";
import { followDockerfile, type Image } from "#tests/support/dockerfile.ts";
import { eventually } from "#tests/support/eventually.ts";
import { scratchFolder, sharedSandbox } from "#tests/support/hooks.ts";
import { runNode } from "#tests/support/run-script.ts";
import { ROOT } from "./command-process.ts";

const scratch = scratchFolder();
const sandbox = sharedSandbox();
let image: Image;
let home: string;
let env: Environment;
beforeAll(async () => {
  image = await followDockerfile(scratch);
  home = join(image.folder, "app");
  const port = await freePort();
  const data = (name: string) => join(image.folder, image.environment[name] ?? "");
  env = {
    ...image.environment,
    ...testEnvironment(port, data("DATABASE_PATH"), sandbox),
    BACKUP_DIR: data("BACKUP_DIR"),
    PATH: process.env.PATH,
  };
}, 180_000);

const command = (args: string[], changes: Environment = {}, input?: string) =>
  runNode(home, args, { ...env, ...changes }, input);

/** Every file of the image but its packages, with its size and time. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules"))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => `${path.slice(folder.length)} ${statSync(path).size} ${statSync(path).mtimeMs}`)
    .sort();
}

describe("what the image holds", () => {
  it("puts no development package, test or sandbox into the image", () => {
    const packages = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    const present = readdirSync(join(home, "node_modules"));
    for (const name of Object.keys(packages.devDependencies)) {
      if (!name.startsWith("@")) expect(present, name).not.toContain(name);
    }
    const files = filesOf(home).join("\n");
    expect(files).not.toMatch(/\.test\.ts|sandbox|fixture|\/seed\/|\.map\.br/);
    expect(files).toContain("/build/server/index.js");
    expect(readdirSync(image.folder).sort()).toEqual(["app", "data", "tmp"]);
  });

  it("serves, backs up, makes admins, examines and ends, and writes only to /data", async () => {
    const before = filesOf(home);
    const server = spawn(process.execPath, image.command.slice(1), {
      cwd: home,
      env: env as NodeJS.ProcessEnv,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let log = "";
    server.stdout.on("data", (chunk) => {
      log += chunk;
    });
    const exit = once(server, "exit");
    try {
      await eventually(async () => {
        const health = await fetch(`${env.PUBLIC_URL}/health`);
        expect(await health.json()).toEqual({ status: "ok" });
      });
      const page = await fetch(`${env.PUBLIC_URL}/`);
      expect(page.status, log).toBe(200);
      const asset = /\/assets\/[^"]+\.js/.exec(await page.text())?.[0] ?? "";
      expect((await fetch(env.PUBLIC_URL + asset)).status).toBe(200);
      expect((await command(["scripts/container/healthcheck.mjs"])).status).toBe(0);

      const backup = await command(["scripts/run.mjs", "backup"]);
      expect(backup.status, backup.output).toBe(0);
      expect(backup.output.trim()).toMatch(/\/data\/backups\/bookings-\w+Z(-\d+)?\.db$/);

      const account = ["--username", "second", "--email", "second@captains.example"];
      const admin = await command(
        ["scripts/run.mjs", "admin-create", ...account],
        {},
        "quiet-runway-0917\n",
      );
      expect(admin.status, admin.output).toBe(0);

      const doctor = await command(["scripts/run.mjs", "doctor"], { NODE_ENV: "development" });
      expect(doctor.status, doctor.output).toBe(0);

      const refused = await command(["scripts/run.mjs", "restore", backup.output.trim()]);
      expect(refused.status).not.toBe(0);
      expect(refused.output).toContain("Stop it first");
    } finally {
      const startedAt = Date.now();
      server.kill("SIGTERM");
      expect(await exit).toEqual([0, null]);
      expect(Date.now() - startedAt).toBeLessThan(10_000);
    }
    expect((await command(["scripts/container/healthcheck.mjs"])).status).toBe(1);
    expect(filesOf(home)).toEqual(before);
  }, 120_000);

  it("runs as nobody in particular, and keeps its data on the volume", () => {
    expect(image.user).toBe("node");
    expect(image.command).toEqual(["node", "scripts/serve.mjs"]);
    expect(image.environment).toMatchObject({ NODE_ENV: "production", HOST: "0.0.0.0" });
    expect(image.environment.DATABASE_PATH).toMatch(/^\/data\//);
    expect(image.environment.BACKUP_DIR).toMatch(/^\/data\//);
    const fly = readFileSync(join(ROOT, "fly.toml"), "utf8");
    expect(fly).toContain(`internal_port = ${image.environment.PORT}`);
  });
});
