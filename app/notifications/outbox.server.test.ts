/** When messages are sent, how many at once, and what each answer of a sender makes of them. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { GIVE_UP_AFTER } from "#app/core/backoff.ts";
import { writeFailures } from "#app/core/failures.server.ts";
import type { Senders, SendResult } from "#app/core/services.ts";
import { instantOf } from "#app/model/dates.ts";
import { listFailures } from "#db/queries/health.server.ts";
import { storedRows } from "#tests/support/stored-rows.ts";
import { resumeOutbox, runOutbox } from "./outbox.server.ts";

const NOW = instantOf("2026-11-20", "12:00");
const { deps, db, add, column } = storedRows();

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

type Answer = SendResult | Promise<SendResult>;
type Send = (id: string, signal: AbortSignal) => Answer;

/** An outbox whose senders answer so; `whatsapp` null where it is not configured. */
function outbox(mail: Send, whatsapp: Send | null = mail) {
  const senders: Senders = {
    mail: { send: async ({ messageId }, signal) => mail(messageId, signal), close: () => {} },
    whatsapp: whatsapp && { send: async ({ messageId }, signal) => whatsapp(messageId, signal) },
  };
  const all = { ...deps(), senders, now: () => Date.now() };
  return { all, run: (signal?: AbortSignal) => runOutbox(all, signal) };
}

const SENT = { outcome: "sent", transportId: "t" } as const;
const mail = (id: string, changes = {}) =>
  add("message", id, {
    kind: "account_notice",
    audience: "admin",
    data: '{"notice":"sessions_ended"}',
    next_try_at: NOW,
    ...changes,
  });
const whatsapp = (id: string, changes = {}) =>
  add("message", id, {
    kind: "booking_confirmed",
    channel: "whatsapp",
    appointment_id: "x",
    recipient: `+9198450${id.length}${id.charCodeAt(0)}`,
    next_try_at: NOW,
    ...changes,
  });
const stored = (id: string) => {
  const [row] = db().allRaw<Record<string, unknown>>("SELECT * FROM message WHERE id = ?", [id]);
  const { state, attempts, next_try_at: next, last_error: error } = row!;
  return { state, attempts, wait: next === null ? null : Number(next) - Date.now(), error };
};
const alerts = () =>
  db().allRaw<{ cause: string }>("SELECT cause FROM message WHERE kind = 'admin_whatsapp_trouble'");
const never = () => new Promise<SendResult>(() => {});

describe("an answer", () => {
  beforeEach(() => void add("appointment", "x", { starts_at: NOW + 86_400_000 }));

  const fault = (outcome: "retry" | "park" | "stop", more = {}) =>
    ({ outcome, code: "WhatsApp 77", error: "e", ...more }) as const;
  const LAST = GIVE_UP_AFTER - 1;
  const parked = (attempts: number, error = "e") => ({
    state: "failed",
    attempts,
    wait: null,
    error,
  });
  const waits = (attempts: number, wait: number, error = "e") => ({
    state: "retrying",
    attempts,
    wait,
    error,
  });
  it.each<[string, SendResult, number, object, alerts: number]>([
    ["sent", SENT, 0, { state: "sent", attempts: 1, wait: null, error: null }, 0],
    ["parked", fault("park"), 0, parked(1), 0],
    ["parked with an alert", fault("park", { alert: true }), 2, parked(3), 1],
    ["tried again", fault("retry"), 0, waits(1, 3_000), 0],
    ["tried again with an alert", fault("retry", { alert: true }), 0, waits(1, 3_000), 1],
    [
      "tried soon, whatever is asked",
      fault("retry", { waitAtLeast: 30_000 }),
      0,
      waits(1, 3_000),
      0,
    ],
    ["tried when it is asked", fault("retry", { waitAtLeast: 30_000 }), 1, waits(2, 30_000), 0],
    ["tried later than asked", fault("retry", { waitAtLeast: 11_999 }), 1, waits(2, 12_000), 0],
    ["tried a last time", fault("retry"), LAST - 1, waits(LAST, 900_000), 0],
    ["given up", fault("retry"), LAST, parked(LAST + 1, `Given up after ${LAST + 1} tries. e`), 0],
    ["stopped", fault("stop", { alert: true }), 0, waits(1, 3_000), 1],
  ])("%s", async (_, result, attempts, expected, alerted) => {
    whatsapp("w", { attempts });
    const { run } = outbox(
      () => SENT,
      () => result,
    );
    expect(await run()).toBeGreaterThan(0);
    expect(stored("w")).toEqual(expected);
    expect(alerts()).toHaveLength(alerted);
    for (const { cause } of alerts()) expect(cause).toContain(":77:");
  });

  it("of mail alerts nobody by mail, and a code without a number is none", async () => {
    mail("m");
    await outbox(() => fault("park", { alert: true })).run();
    expect([stored("m").state, alerts()]).toEqual(["failed", []]);
    whatsapp("w");
    await outbox(
      () => SENT,
      () => fault("park", { alert: true, code: "NONE" }),
    ).run();
    expect(alerts().map(({ cause }) => cause)).toEqual([expect.stringContaining(":none:")]);
  });

  it("is none where WhatsApp is off, or the message holds no longer", async () => {
    whatsapp("w");
    mail("m", { not_after: NOW - 1 });
    expect(await outbox(() => SENT, null).run()).toBe(2);
    const why = { state: "failed", attempts: 0, wait: null };
    expect(stored("w")).toEqual({ ...why, error: "Not sent: WhatsApp is not configured." });
    expect(stored("m")).toEqual({ ...why, error: "Not sent: its moment has passed." });
  });

  it("that stops the channel leaves it alone, longer each time, until something goes out", async () => {
    let result: SendResult = fault("stop");
    const { run } = outbox(
      () => SENT,
      () => result,
    );
    const tryAfter = async (ms: number) => {
      vi.setSystemTime(Date.now() + ms);
      db().runRaw("UPDATE message SET next_try_at = 1 WHERE channel = 'whatsapp'");
      return run();
    };
    whatsapp("w");
    expect([await run(), await tryAfter(1_499), await tryAfter(1)]).toEqual([1, 0, 1]);
    expect([await tryAfter(5_999), await tryAfter(1)]).toEqual([0, 1]);
    mail("m");
    expect(await tryAfter(0)).toBe(1);
    result = SENT;
    expect([await tryAfter(23_999), await tryAfter(1)]).toEqual([0, 1]);
    result = fault("stop");
    whatsapp("v");
    await run();
    expect([await tryAfter(1_499), await tryAfter(1)]).toEqual([0, 2]);
  });

  it("that could not be prepared is tried again, and keeps no other from going out", async () => {
    add("message", "m", { kind: "booking_confirmed", next_try_at: NOW - 1 });
    mail("n");
    const { all, run } = outbox(() => SENT);
    expect(await run()).toBe(2);
    expect(stored("m")).toEqual(waits(1, 3_000, "Could not be worked on: Error"));
    expect(stored("n").state).toBe("sent");
    writeFailures(all);
    expect(listFailures(db(), 0)).toMatchObject([{ area: "queue: outbox email", count: 1 }]);
  });
});

describe("a run", () => {
  it("sends five mails at once, and the next as soon as one is done", async () => {
    add("appointment", "x", { starts_at: NOW + 86_400_000 });
    const open = new Map<string, (result: SendResult) => void>();
    const send = (id: string) => new Promise<SendResult>((done) => open.set(id, done));
    for (let i = 0; i < 7; i++) {
      mail(`m${i}`, { next_try_at: NOW - 10 + i });
      whatsapp(`w${i}`, { recipient: `+91984501234${i}`, next_try_at: NOW - 10 + i });
    }
    const running = outbox(send).run();
    await vi.advanceTimersByTimeAsync(1_000);
    const names = () => [...open.keys()].sort().join(" ");
    expect(names()).toBe("m0 m1 m2 m3 m4 w0 w1 w2 w3 w4");
    open.get("m3")!(SENT);
    await vi.advanceTimersByTimeAsync(0);
    expect(names()).toBe("m0 m1 m2 m3 m4 m5 w0 w1 w2 w3 w4");
    for (const id of ["w0", "w1"]) open.get(id)!(SENT);
    await vi.advanceTimersByTimeAsync(0);
    expect(names()).toBe("m0 m1 m2 m3 m4 m5 w0 w1 w2 w3 w4 w5 w6");
    for (let round = 0; round < 3; round++) {
      for (const done of open.values()) done(SENT);
      await vi.advanceTimersByTimeAsync(250);
    }
    expect(await running).toBe(14);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("leases a message for six seconds, renews that in time, and ends a send that lost it", async () => {
    const limits = vi.spyOn(AbortSignal, "timeout");
    mail("slow");
    let signal: AbortSignal | undefined;
    void outbox((_, given) => {
      signal ??= given;
      return never();
    }).run();
    const lease = () => Number(column("message", "lease_until").slow) - NOW;
    await vi.advanceTimersByTimeAsync(1_499);
    expect(lease()).toBe(6_000);
    await vi.advanceTimersByTimeAsync(1);
    expect(lease()).toBe(7_500);
    await vi.advanceTimersByTimeAsync(1_500);
    expect([lease(), signal?.aborted]).toEqual([9_000, false]);
    db().runRaw("UPDATE message SET lease_until = 1");
    await vi.advanceTimersByTimeAsync(1_500);
    expect(signal?.aborted).toBe(true);
    expect(limits).toHaveBeenCalledWith(60_000);
  });

  it.each([
    [3, 1_200, "sent"],
    [4, 1_200, "retrying"],
  ])(
    "writes what became of a send again after a fault, %i of them",
    async (faults, after, state) => {
      mail("m");
      const { all, run } = outbox(() => SENT);
      const write = vi.spyOn(all.db, "run");
      for (let i = 0; i < faults; i++) {
        write.mockImplementationOnce(() => {
          throw new Error("disk I/O error");
        });
      }
      const logged = vi.spyOn(all.log, "error");
      const running = run();
      const tries: number[] = [];
      for (let ms = 0; ms <= after; ms += 100) {
        tries.push(write.mock.calls.length);
        await vi.advanceTimersByTimeAsync(100);
      }
      expect(await running).toBe(1);
      expect(stored("m").state).toBe(state);
      expect(logged).toHaveBeenCalledTimes(state === "sent" ? 0 : 1);
      // After 200, 400 and 600 milliseconds more.
      expect([1, 3, 7].map((at) => tries[at])).toEqual([1, 2, 3]);
      // Beyond the fourth it is put off as any other, unless it has another address.
      expect(write.mock.calls).toHaveLength(state === "sent" ? 4 : 6);
    },
  );

  it.each([
    ["sent", SENT],
    ["refused", { outcome: "park", code: "550", error: "e" } as const],
  ])("goes once more where the address was corrected while it was %s", async (_, answer) => {
    mail("m", { recipient: "wrong@b.in" });
    const { run } = outbox(() => {
      db().runRaw("UPDATE message SET recipient = 'right@b.in'");
      return answer;
    });
    await run();
    expect(column("message", "recipient")).toEqual({ m: "right@b.in" });
    expect(stored("m").state).toBe(answer === SENT ? "sent" : "failed");
  });

  it("after a start has what waits due within three seconds", () => {
    mail("far", { next_try_at: NOW + 3_001 });
    mail("near", { next_try_at: NOW + 3_000 });
    expect(resumeOutbox(outbox(() => SENT).all)).toBe(1);
    expect(stored("far").wait).toBeLessThan(3_000);
  });
});
