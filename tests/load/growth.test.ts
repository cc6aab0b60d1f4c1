/**
 * Each write asked again and again, and what it added to the file held against its bound; where each
 * limit ends is held in tests/operations/growth.test.ts.
 */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startTestApp, type TestApp } from "#tests/helpers/app.ts";
import { adminOf } from "#tests/support/admin.ts";
import { bookingBody, dayAhead } from "#tests/support/bookings.ts";
import { captainOf } from "#tests/support/captain.ts";
import { grow, type World, WRITES } from "./growth.ts";

let app: TestApp;
let world: World;
let captain: string;
const clock = { now: 0 };
const began = Date.now();

beforeEach(async () => {
  clock.now = began;
  vi.spyOn(Date, "now").mockImplementation(() => clock.now);
  app = await startTestApp({
    env: { RATE_LIMIT: "on", WORKER_INTERVAL_MS: "600000", LOG_LEVEL: "error" },
    now: () => clock.now,
  });
  const staff = await adminOf(app);
  captain = (await captainOf(app)).token;
  const made = async (n: number, payment: object) => {
    const { packagePrice: _, ...about } = bookingBody({ date: dayAhead(12 + n) });
    const { data } = await staff("/appointments", { json: { ...about, payment } });
    return { id: data.appointment.id as string, email: about.email };
  };
  const receivedOn = dayAhead(0);
  world = {
    unpaid: await made(0, { by: "link" }),
    paid: await made(1, { by: "offline", method: "cash", receivedOn }),
  };
});
afterEach(async () => {
  await app.stop();
  vi.restoreAllMocks();
});

it.each(WRITES)("$name: adds no more than it may", async (write) => {
  // Slower than the limits of a minute: what they leave through in a day is what is looked at.
  const pass = () => {
    clock.now += 4_000;
  };
  const { bytes, answers } = await grow({ app, world, captain, pass }, write);
  console.log(
    `${write.name}: ${bytes} of ${Math.round(write.bound)} bytes, ${JSON.stringify(answers)}`,
  );
  expect(answers).not.toHaveProperty("500");
  expect(bytes).toBeLessThanOrEqual(write.bound);
});
