/** Copies that leave the machine soon after money moved. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { runOffSite } from "#app/jobs/off-site.server.ts";
import { fetchOffSite } from "#app/jobs/off-site-copies.server.ts";
import { addDays, dateInIndia } from "#app/model/dates.ts";
import { HOUR, MINUTE, SECOND } from "#app/model/duration.ts";
import { rehearse } from "#db/restore.server.ts";
import { freshStore } from "#tests/support/off-site.ts";
import { bookByStaff } from "#tests/support/till.ts";

const { test, sandbox } = freshStore();
const signal = new AbortController().signal;
const stored = () => sandbox.s3.objects.size;

let day = 5;
function takeMoney(): void {
  day += 1;
  bookByStaff(test.deps, { date: addDays(dateInIndia(test.clock.now), day) });
}

/** Runs as the loop does, every ten seconds, for so long (milliseconds). */
async function pass(time: number, deps = test.deps): Promise<void> {
  const end = test.clock.now + time;
  while (test.clock.now < end) {
    await runOffSite(deps, signal);
    test.clock.now += 10 * SECOND;
  }
}

async function paymentsOff(): Promise<number> {
  const file = join(test.folder, "fetched.db");
  await fetchOffSite(test.deps.env.backup.offSite!, "latest", file);
  return rehearse(file).rows.payment!;
}

it("nothing is missing when a machine is lost four minutes after a payment", async () => {
  await pass(MINUTE);
  expect(stored()).toBe(1);
  takeMoney();
  await pass(MINUTE);
  takeMoney();
  await pass(3 * MINUTE);
  expect(await paymentsOff()).toBe(2);
  // One copy has both, and nothing moved since.
  await pass(20 * MINUTE);
  expect(stored()).toBe(2);
});

/** While the next copy is being sent, money moves, and so much time (milliseconds) passes. */
async function moveWhileSending(passes = 0): Promise<void> {
  await pass(MINUTE);
  takeMoney();
  await pass(140 * SECOND);
  const { take } = sandbox.switches;
  let isSending = false;
  sandbox.switches.take = function (name, subject = "") {
    if (subject.startsWith("PUT") && !isSending) {
      isSending = true;
      takeMoney();
      test.clock.now += passes;
    }
    return take.call(this, name, subject);
  };
  await pass(30 * SECOND + passes);
  expect(isSending).toBe(true);
  expect(await paymentsOff()).toBe(1);
}

it("money that moves while a copy is sent goes with the next", async () => {
  await moveWhileSending();
  await pass(3 * MINUTE);
  expect(await paymentsOff()).toBe(2);
});

it("money that moves while a copy is slowly sent waits no longer for that", async () => {
  await moveWhileSending(2 * MINUTE);
  await pass(MINUTE);
  expect(await paymentsOff()).toBe(2);
});

it("a copy broken off by a stop is continued at the next start", async () => {
  await pass(MINUTE);
  takeMoney();
  await pass(140 * SECOND);
  expect(await paymentsOff()).toBe(0);
  test.clock.now += 10 * SECOND;
  await runOffSite(test.deps, AbortSignal.abort());
  await pass(10 * SECOND);
  expect(await paymentsOff()).toBe(1);
});

it("a clock set back holds up no copy", async () => {
  await pass(MINUTE);
  test.clock.now += 50 * MINUTE;
  takeMoney();
  await pass(MINUTE);
  test.clock.now -= 50 * MINUTE;
  await pass(5 * MINUTE);
  expect(await paymentsOff()).toBe(1);
});

it("a copy that failed is tried again within the same time", async () => {
  await pass(MINUTE);
  takeMoney();
  sandbox.switches.set({ name: "s3_error", match: "PUT", count: 3, value: 503 });
  await pass(3 * MINUTE);
  expect(stored()).toBe(1);
  await pass(5 * MINUTE);
  expect(await paymentsOff()).toBe(1);
});

it("a copy goes by schedule alone where that is set", async () => {
  const { env } = test.deps;
  const backup = { ...env.backup, offSite: { ...env.backup.offSite!, afterSeconds: 0 } };
  const deps = { ...test.deps, env: { ...env, backup } };
  await pass(MINUTE, deps);
  takeMoney();
  await pass(HOUR - 2 * MINUTE, deps);
  expect(stored()).toBe(1);
  await pass(3 * MINUTE, deps);
  expect(stored()).toBe(2);
});
