/** What a file's tests are given, made and ended by its hooks; to be used in tests and hooks alone. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import type { SandboxOptions } from "#scripts/sandbox/options.ts";
import { type Sandbox, startSandbox } from "#scripts/sandbox/sandbox.ts";
import { startTestApp, type TestApp, type TestAppOptions } from "#tests/helpers/app.ts";
import { type AdminApi, adminOf } from "./admin.ts";
import { makeDeps, type TestDeps } from "./deps.ts";
import { openTill, type Till } from "./till.ts";

/** Stands for what `current` answers. */
function standIn<T extends object>(current: () => T): T {
  return new Proxy({} as T, {
    get: (_, name) => Reflect.get(current(), name),
    set: (_, name, value) => Reflect.set(current(), name, value),
    has: (_, name) => Reflect.has(current(), name),
  });
}

/** One for all tests of the file. */
export function shared<T extends object>(make: () => Promise<T>, end: (made: T) => unknown): T {
  let made: T | undefined;
  beforeAll(async () => {
    made = await make();
  });
  afterAll(() => made && end(made));
  return standIn(() => made!);
}

/** One of its own for each test. */
export function fresh<T extends object>(make: () => Promise<T>, end: (made: T) => unknown): T {
  let made: T | undefined;
  beforeEach(async () => {
    made = undefined;
    made = await make();
  });
  afterEach(() => made && end(made));
  return standIn(() => made!);
}

/** An app for all tests of the file. */
export const sharedApp = (options?: TestAppOptions): TestApp =>
  shared(
    () => startTestApp(options),
    (app) => app.stop(),
  );

/** A sandbox for all tests of the file. */
export const sharedSandbox = (options?: SandboxOptions): Sandbox =>
  shared(
    () => startSandbox(options),
    (sandbox) => sandbox.close(),
  );

/** One database file for all tests of the file. */
export const sharedDeps = (env?: Record<string, string>): TestDeps =>
  shared(
    () => makeDeps(env),
    (test) => test.close(),
  );

/** A file of its own for each test. */
export const freshDeps = (env?: Record<string, string>): TestDeps =>
  fresh(
    () => makeDeps(env),
    (test) => test.close(),
  );

/** Calls with a session of the app's admin, for all tests of the file. */
export function sharedAdmin(app: TestApp): AdminApi {
  let admin: AdminApi;
  beforeAll(async () => {
    admin = await adminOf(app);
  });
  return new Proxy((() => {}) as unknown as AdminApi, {
    apply: (_, __, [path, init]) => admin(path, init),
    get: (_, name) => Reflect.get(admin, name),
  });
}

/** The path of a folder that goes with the file's tests. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "captain-sessions-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

interface TillOptions {
  env?: Record<string, string>;
  /** The provider refuses what the real one would. */
  isStrict?: boolean;
}

interface FreshTill extends Till {
  /** Closes it and opens another one, as for another history. */
  anew(changed?: Record<string, string>): Promise<void>;
}

/** A till of its own for each test. */
export function freshTill({ env, isStrict = false }: TillOptions = {}): FreshTill {
  let till: FreshTill;
  const open = async (changed?: Record<string, string>) => {
    const anew = (next?: Record<string, string>) => {
      till.close();
      return open(next);
    };
    till = Object.assign(await openTill({ ...env, ...changed }), { anew });
    till.razorpay.isStrict = isStrict;
  };
  beforeEach(() => open());
  afterEach(() => till.close());
  return standIn(() => till);
}
