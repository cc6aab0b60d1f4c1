/** The container without an engine: its steps in empty folders, then its commands in what came out. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "#scripts/process/ports.ts";
import { type Sandbox, startSandbox } from "#scripts/sandbox/sandbox.ts";
import { type Environment, testEnvironment } from "#tests/helpers/environment.ts";
import {
  contextPaths,
  followDockerfile,
  type Image,
  readSteps,
} from "#tests/support/dockerfile.ts";
import { eventually } from "#tests/support/eventually.ts";
import { ROOT } from "./npm-process.ts";

const scratch = mkdtempSync(join(tmpdir(), "captain-container-"));
let image: Image;
let home: string;
let sandbox: Sandbox;
let env: Environment;
beforeAll(async () => {
  image = await followDockerfile(scratch);
  home = join(image.folder, "app");
  sandbox = await startSandbox();
  const port = await freePort();
  const data = (name: string) => join(image.folder, image.environment[name] ?? "");
  env = {
    ...image.environment,
    ...testEnvironment(port, data("DATABASE_PATH"), sandbox),
    BACKUP_DIR: data("BACKUP_DIR"),
    PATH: process.env.PATH,
  };
}, 180_000);
afterAll(async () => {
  await sandbox?.close();
  rmSync(scratch, { recursive: true, force: true });
});

function command(args: string[], changes: Environment = {}, input = "") {
  return new Promise<{ status: number; output: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      args,
      { cwd: home, env: { ...env, ...changes } },
      (error, stdout, stderr) =>
        resolve({ status: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
    );
    child.stdin?.end(input);
  });
}

/** Every file of the image but its packages, with its size and time. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules"))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => `${path.slice(folder.length)} ${statSync(path).size} ${statSync(path).mtimeMs}`)
    .sort();
}

describe("the Dockerfile", () => {
  it("runs nothing but scripts, on slim Node 24, as nobody in particular", () => {
    const steps = readSteps();
    const all = (name: string) => steps.filter(({ instruction }) => instruction === name);
    for (const { words } of all("FROM")) expect(words[0]).toBe("node:24-slim");
    for (const { words } of all("RUN")) expect(words.join(" ")).toMatch(/^sh \S+\.sh$/);
    expect(all("ADD")).toEqual([]);
    expect(all("HEALTHCHECK")).toHaveLength(1);
    expect(image.user).toBe("node");
    expect(image.command).toEqual(["node", "scripts/serve.mjs"]);
    expect(image.environment).toMatchObject({ NODE_ENV: "production", HOST: "0.0.0.0" });
  });

  it("is given neither data nor keys nor history", () => {
    expect(readFileSync(join(ROOT, ".dockerignore"), "utf8").split("\n")).toContain("*");
    for (const path of contextPaths()) {
      expect(path).not.toMatch(/^(data|\.env|\.git|node_modules|tests|build)(\/|$)/);
    }
  });

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
});

describe("fly.toml", () => {
  const fly = readFileSync(join(ROOT, "fly.toml"), "utf8");

  it("keeps one machine with its volume running, and gives it time to end", () => {
    expect(fly.match(/\[\[mounts\]\]/g)).toHaveLength(1);
    for (const line of [
      'destination = "/data"',
      'TRUSTED_PROXY_HEADER = "fly-client-ip"',
      'auto_stop_machines = "off"',
      "min_machines_running = 1",
      "force_https = true",
      'path = "/health"',
      'memory = "512mb"',
    ]) {
      expect(fly).toContain(line);
    }
    expect(Number(/kill_timeout = "(\d+)s"/.exec(fly)?.[1])).toBeGreaterThan(10);
    expect(fly).toContain(`internal_port = ${image.environment.PORT}`);
    expect(fly).not.toMatch(/SECRET|PASSWORD|TOKEN/);
    expect(image.environment.DATABASE_PATH).toMatch(/^\/data\//);
    expect(image.environment.BACKUP_DIR).toMatch(/^\/data\//);
  });
});

describe("what the image holds", () => {
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

  it("says what is missing and ends with status 1", async () => {
    const started = await command(image.command.slice(1), { RAZORPAY_KEY_SECRET: undefined });
    expect(started.status).toBe(1);
    expect(started.output).toBe("RAZORPAY_KEY_SECRET is missing\n");
  });
});
