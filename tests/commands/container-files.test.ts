/** What the container is made of, as it stands in the files; what comes out is container.test.ts. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { contextPaths, readSteps } from "#tests/support/dockerfile.ts";
import { ROOT } from "./command-process.ts";

it("the Dockerfile runs nothing but scripts, on slim Node 24", () => {
  const steps = readSteps();
  const all = (name: string) => steps.filter(({ instruction }) => instruction === name);
  for (const { words } of all("FROM")) expect(words[0]).toBe("node:24-slim");
  for (const { words } of all("RUN")) expect(words.join(" ")).toMatch(/^sh \S+\.sh$/);
  expect(all("ADD")).toEqual([]);
  expect(all("HEALTHCHECK")).toHaveLength(1);
});

it("the build is given neither data nor keys nor history", () => {
  expect(readFileSync(join(ROOT, ".dockerignore"), "utf8").split("\n")).toContain("*");
  for (const path of contextPaths()) {
    expect(path).not.toMatch(/^(data|\.env|\.git|node_modules|tests|build)(\/|$)/);
  }
});

it("fly.toml keeps one machine with its volume running, and gives it time to end", () => {
  const fly = readFileSync(join(ROOT, "fly.toml"), "utf8");
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
  expect(fly).not.toMatch(/SECRET|PASSWORD|TOKEN/);
});
