/** Another client, which goes on asking while the first one attacks. */
import { expect } from "vitest";
import { Watch } from "#tests/fuzz/watch.ts";
import type { TestApp } from "#tests/helpers/app.ts";
import { eventually } from "./eventually.ts";

/**
 * The longest that another client waits for `/health` while `work` runs, in milliseconds, without
 * the time in which the machine ran other processes. The app has a process of its own.
 */
export async function longestWaitWhile(app: TestApp, work: () => Promise<void>): Promise<number> {
  const pid = app.server?.pid;
  if (pid === undefined) throw new Error("Start the app with `separateProcess`.");
  const watch = new Watch({ port: Number(new URL(app.origin).port), pid });
  try {
    await eventually(() => expect(watch.figures.answers).toBeGreaterThan(0));
    await work();
    expect(watch.breaches.filter(({ what }) => !what.includes("late"))).toEqual([]);
    return watch.figures.ms;
  } finally {
    await watch.stop();
  }
}
