/** What every case works with: the folder, the servers on their core, the effort. */
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "#scripts/process/ports.ts";
import { smallMemory } from "#scripts/process/server-memory.mjs";
import type { Sandbox } from "#scripts/sandbox/sandbox.ts";
import { testEnvironment } from "#tests/helpers/environment.ts";
import type { FloorContent } from "./floor-server.ts";
import type { Pinning } from "./pinning.ts";
import { type Environment, type ServerProcess, startServer } from "./server-process.ts";
import type { Effort } from "./throughput.ts";

export const FLOOR_BUILD = "data/bench/floor-app";
const FLOOR_SERVER = "scripts/bench/floor-server.ts";
const WORKBOOK_FLOOR = "scripts/bench/workbook-floor.ts";
const APP_SERVER = "scripts/serve.mjs";

export interface AppServer extends ServerProcess {
  origin: string;
  env: Environment;
}

interface WorkbookFloor {
  ask(): Promise<{ ms: number }>;
  stop(): Promise<void>;
}

export class Setting {
  readonly folder: string;
  readonly effort: Effort;
  readonly #pinning: Pinning;
  readonly #sandbox: Sandbox;
  readonly #servers = new Set<ServerProcess>();
  #files = 0;

  constructor(folder: string, effort: Effort, pinning: Pinning, sandbox: Sandbox) {
    this.folder = folder;
    this.effort = effort;
    this.#pinning = pinning;
    this.#sandbox = sandbox;
    mkdirSync(folder, { recursive: true });
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** A copy of a filled database, to be written to. */
  copy(from: string, name: string): string {
    const path = this.path(name);
    copyFileSync(from, path);
    return path;
  }

  /** The built app as deployed: every request logged, work taken up each second. */
  async startApp(
    database: string,
    changes: Environment = {},
    script = APP_SERVER,
  ): Promise<AppServer> {
    const port = Number(changes.PORT ?? (await freePort()));
    const env = {
      ...testEnvironment(port, database, this.#sandbox),
      LOG_LEVEL: "info",
      WORKER_INTERVAL_MS: "1000",
      RETENTION_UNPAID_DAYS: "36500",
      ...changes,
    };
    const server = await this.#start(script, smallMemory(env));
    return { ...server, env, origin: `http://127.0.0.1:${port}` };
  }

  async startFloor(content: FloorContent): Promise<ServerProcess> {
    const file = this.path(`floor-${this.#files++}.json`);
    writeFileSync(file, JSON.stringify(content));
    return this.#start(FLOOR_SERVER, { NODE_ENV: "production", FLOOR: file });
  }

  /** SheetJS alone over these rows. */
  async startWorkbookFloor(rows: readonly unknown[][]): Promise<WorkbookFloor> {
    const file = this.path("rows.json");
    writeFileSync(file, JSON.stringify(rows));
    const server = await this.#start(WORKBOOK_FLOOR, { NODE_ENV: "production", FLOOR: file });
    return { ask: () => server.ask<{ ms: number }>(), stop: server.stop };
  }

  /** Ends what still runs and removes every file. */
  async close(): Promise<void> {
    for (const server of this.#servers) await server.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #start(script: string, env: Environment): Promise<ServerProcess> {
    const server = await startServer({ script, env, pinning: this.#pinning });
    this.#servers.add(server);
    const stop = async () => {
      this.#servers.delete(server);
      await server.stop();
    };
    return { ...server, stop };
  }
}
