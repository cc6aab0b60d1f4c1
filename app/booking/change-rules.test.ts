import { describe, expect, it } from "vitest";
import { HOUR, MINUTE } from "#app/model/dates.ts";
import type { AppointmentStatus } from "#app/model/statuses.ts";
import { sampleAppointment } from "#tests/support/sample-messages.ts";
import { refuseChange } from "./change-rules.ts";
import { keptLink, linkWindow, openWindow, renewal, type TimeLeft } from "./payment-window.ts";

describe("a change", () => {
  const customer = { kind: "customer" } as const;
  const admin = { kind: "admin", username: "asha", role: "owner" } as const;
  const { startsAt } = sampleAppointment();
  const lastMoment = startsAt - 24 * HOUR - 1;

  it.each<[AppointmentStatus, typeof customer | typeof admin, number, number | undefined, string]>([
    ["confirmed", customer, lastMoment, 3, "may be"],
    ["confirmed", customer, lastMoment + 1, 3, "A session can be"],
    ["pending_payment", customer, lastMoment + 1, 3, "A booking can be"],
    ["rescheduled", customer, startsAt, undefined, "A session can be"],
    ["confirmed", admin, startsAt + HOUR, 3, "may be"],
    ["confirmed", admin, lastMoment, 2, "This appointment was changed"],
    ["cancelled", admin, lastMoment, 2, "This appointment was changed"],
    ["cancelled", customer, lastMoment, undefined, "This appointment is already cancelled"],
  ])("of a %s appointment by %j at %i, version %s: %s", (status, actor, now, version, says) => {
    const appointment = sampleAppointment({ status, version: 3 });
    const refusal = refuseChange(
      appointment,
      { actor, version },
      { selfServiceCutoffHours: 24 },
      now,
    );
    expect(refusal?.message ?? "may be").toContain(says);
  });
});

const env = { minNoticeMinutes: 60, paymentWindowSeconds: 900, holdSeconds: 1_800 };
const NOW = 1_800_000_000_000;

describe("the window of a payment", () => {
  /** When the payment window and the hold end, in minutes from now. */
  const opened = (madeAt: number | undefined, seconds = env, underPressure = false) => {
    const { payBefore, holdUntil } = openWindow(seconds, NOW, { madeAt, underPressure });
    return [(payBefore - NOW) / MINUTE, (holdUntil - NOW) / MINUTE];
  };

  it.each([
    ["of which two hours leave the whole hold", 90, [15, 30]],
    ["of which a part is left", 91, [14, 29]],
    ["of which only time to end a payment is left", 105, [0, 15]],
  ])("of a booking %s", (_, minutesAgo, ends) => {
    expect(opened(NOW - minutesAgo * MINUTE)).toEqual(ends);
  });

  it("is ten minutes shorter under pressure, and never longer than the owner has it", () => {
    expect(opened(undefined, env, true)).toEqual([5, 20]);
    const short = { ...env, paymentWindowSeconds: 120, holdSeconds: 600 };
    expect(opened(undefined, short, true)).toEqual([2, 10]);
  });

  it("follows the owner's longer hold, with a quarter of an hour to end a payment", () => {
    const long = { ...env, paymentWindowSeconds: 9_000, holdSeconds: 10_800 };
    expect(opened(undefined, long)).toEqual([150, 180]);
    expect(opened(NOW - 100 * MINUTE, long)).toEqual([65, 80]);
    const close = { ...env, paymentWindowSeconds: 1_740 };
    // The hold stays a minute longer than the payment window.
    expect(opened(NOW - 100 * MINUTE, close)).toEqual([19, 20]);
  });

  it.each<[number, number, number, TimeLeft, string | null]>([
    [0, 0, 61, "free", null],
    [2, 104, 61, "held", null],
    [3, 0, 61, "free", "too_often"],
    [0, 105, 61, "free", "too_often"],
    [0, 0, 60, "held", "too_soon"],
    [3, 105, 60, "gone", "too_often"],
    [0, 0, 60, "gone", "too_soon"],
    [0, 0, 61, "gone", "time_gone"],
  ])("opened %i times, made %i minutes ago, %i before the start, time %s: %s", (...given) => {
    const [renewals, minutesAgo, minutesAhead, time, refusal] = given;
    const startsAt = NOW + minutesAhead * MINUTE;
    const createdAt = NOW - minutesAgo * MINUTE;
    const appointment = { renewals, heldByStaff: false, createdAt, startsAt };
    expect(renewal(appointment, time, env, NOW)).toBe(refusal);
    if (refusal === "too_soon" && time !== "gone") {
      const later = { ...appointment, startsAt: startsAt + 1 };
      expect(renewal(later, time, env, NOW)).toBeNull();
    }
  });
});

describe("the window of a payment link", () => {
  const DAY = 24 * HOUR;

  it.each<[string, number, number | undefined, number | string]>([
    ["a day, if nothing was said", 3 * DAY, undefined, DAY],
    ["until two hours before the session", 3 * HOUR, undefined, HOUR],
    ["not at all two hours before the session", 2 * HOUR, undefined, "of its own length"],
    ["not once the session has begun", 0, undefined, "has begun"],
    ["not once it has begun, whatever was said", -HOUR, HOUR, "has begun"],
    ["until what was said", 3 * DAY, 2 * DAY, 2 * DAY],
    ["not until now", 3 * DAY, 0, "still to come"],
    ["a moment", 3 * DAY, 1, 1],
    ["a week", 8 * DAY, 7 * DAY, 7 * DAY],
    ["no longer than a week", 8 * DAY, 7 * DAY + 1, "within 7 days"],
    ["until just before the session", DAY, DAY - 1, DAY - 1],
    ["not until the session", DAY, DAY, "before the session"],
  ])("is open %s", (_, startsIn, wantedIn, ends) => {
    const wanted = wantedIn === undefined ? undefined : NOW + wantedIn;
    const window = linkWindow(env, NOW + startsIn, wanted, NOW);
    if (typeof ends === "string") {
      const errors = { payment: [expect.stringContaining(ends)] };
      expect(window).toMatchObject({ ok: false, errors });
      return;
    }
    // The hold lasts a quarter of an hour longer, and ends before the session.
    const holdUntil = NOW + Math.min(ends + 15 * MINUTE, startsIn - 1);
    expect(window).toEqual({ ok: true, value: { payBefore: NOW + ends, holdUntil } });
  });

  it("of a session that was moved to an earlier time ends before it", () => {
    const window = { payBefore: NOW + HOUR, holdUntil: NOW + 2 * HOUR };
    expect(keptLink(window, NOW + 3 * HOUR)).toEqual(window);
    const ends = NOW + HOUR - 1;
    expect(keptLink(window, NOW + HOUR)).toEqual({ payBefore: ends, holdUntil: ends });
  });
});
