/** What a file's tests are given, made and ended by its hooks; to be used in tests and hooks alone. */
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { startTestApp, type TestApp, type TestAppOptions } from "#tests/helpers/app.ts";
import { openTill, type Till } from "./till.ts";

/** Stands for what `current` answers. */
function standIn<T extends object>(current: () => T): T {
  return new Proxy({} as T, {
    get: (_, name) => Reflect.get(current(), name),
    set: (_, name, value) => Reflect.set(current(), name, value),
    has: (_, name) => Reflect.has(current(), name),
  });
}

/** An app for all tests of the file. */
export function sharedApp(options?: TestAppOptions): TestApp {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp(options);
  });
  afterAll(() => app.stop());
  return standIn(() => app);
}

interface TillOptions {
  env?: Record<string, string>;
  /** The provider refuses what the real one would. */
  isStrict?: boolean;
}

/** A till of its own for each test. */
export function freshTill({ env, isStrict = false }: TillOptions = {}): Till {
  let till: Till;
  beforeEach(async () => {
    till = await openTill(env);
    till.razorpay.isStrict = isStrict;
  });
  afterEach(() => till.close());
  return standIn(() => till);
}
