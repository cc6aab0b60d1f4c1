import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import type { SendResult } from "#app/core/services.ts";
import { runOutbox } from "#app/notifications/outbox.server.ts";
import { queueMessages, resendMessage } from "#app/notifications/queue.server.ts";
import {
  answerChallenge,
  applyWhatsAppWebhook,
  isSigned,
} from "#app/notifications/whatsapp-webhook.server.ts";
import { isOptedOut } from "#db/queries/message-leases.server.ts";
import { findMessage } from "#db/queries/messages.server.ts";
import { signedBy } from "#tests/support/signed-by.ts";
import { ADMIN_ACTOR } from "#tests/support/till.ts";
import { sharedWorld, tellWhatsApp } from "./setup.ts";

const world = sharedWorld("message", "opt_out", "appointment");
let id: string;
beforeEach(async () => {
  remind();
  await runOutbox(world.deps);
  id = row()?.id ?? "";
});

function remind(): void {
  const event = { type: "reminder", appointment: world.addAppointment(), hours: 24 } as const;
  queueMessages(world.deps.db, world.deps.env, Date.now(), event);
}

const row = () => world.messages().find(({ channel }) => channel === "whatsapp");
const wamid = () => world.sandbox.whatsapp.messages.at(-1)?.id ?? "";

const send = (value: unknown, secret?: string) => tellWhatsApp(world, value, secret);

const report = (status: string, more = {}) =>
  send({ statuses: [{ id: wamid(), status, timestamp: "1795000000", ...more }] });
const PHONE = "+919876512345";
const NEXT = "wamid.next";
/** Sends what is due; a report of the send comes before its answer. */
function sendWhile(told: { status: string; errors?: object[] }, answer: SendResult) {
  const whatsapp = {
    send: async ({ messageId }: { messageId: string }) => {
      send({ statuses: [{ id: NEXT, biz_opaque_callback_data: messageId, ...told }] });
      return answer;
    },
  };
  return runOutbox({ ...world.deps, senders: { ...world.deps.senders, whatsapp } });
}

describe("the signature", () => {
  const body = Buffer.from('{"object":"whatsapp_business_account","entry":[]}');
  const header = "sha256=34f3bf832d8829b9f0409509feb56ffaf51bf8a01c1bc98158511f5302c00d4e";

  it("fits the vector of the fact sheet", () => {
    expect(isSigned("sandbox_app_secret_1", body, header)).toBe(true);
  });

  it.each([null, "", "sha256=", header.slice(7), header.toUpperCase(), `${header} `])(
    "refuses %j",
    (wrong) => expect(isSigned("sandbox_app_secret_1", body, wrong)).toBe(false),
  );

  it("forged: nothing is written", () => {
    const value = { statuses: [{ id: wamid(), status: "read" }] };
    expect(send(value, "another")).toMatchObject({ ok: false, code: "invalid_signature" });
    expect(row()?.state).toBe("sent");
  });
});

describe("delivery reports", () => {
  it("end in the highest state, in any order and number", () => {
    const rank = ["sent", "delivered", "read"];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...rank), { minLength: 1, maxLength: 8 }), (states) => {
        world.deps.db.runRaw("UPDATE message SET state = 'sent' WHERE id = ?", [id]);
        for (const state of states) expect(report(state).ok).toBe(true);
        const highest = Math.max(...states.map((state) => rank.indexOf(state)));
        expect(row()?.state).toBe(rank[highest]);
      }),
      { numRuns: 50 },
    );
  });

  it("mend a send whose answer was lost, by our own id", async () => {
    world.deps.db.runRaw(
      `UPDATE message SET state = 'retrying', transport_id = NULL, sent_at = NULL, next_try_at = 1
       WHERE id = ?`,
      [id],
    );
    report("sent", { biz_opaque_callback_data: id });
    expect(row()?.state).toBe("sent");
    // Shown to the admin: when WhatsApp sent it, not when it reported it.
    expect(findMessage(world.deps.db, id)?.sentAt).toBe(1_795_000_000_000);
    const before = world.sandbox.whatsapp.messages.length;
    await runOutbox(world.deps);
    expect(world.sandbox.whatsapp.messages).toHaveLength(before);
  });

  it("of an earlier send do not stop a resend", async () => {
    const old = wamid();
    const late = { id: old, status: "read", biz_opaque_callback_data: id };
    resendMessage(world.deps, ADMIN_ACTOR, id);
    expect(send({ statuses: [late] })).toMatchObject({ value: { reports: 0 } });
    expect(row()?.state).toBe("queued");
    await runOutbox(world.deps);
    expect(wamid()).not.toBe(old);
    send({ statuses: [late] });
    expect(row()?.state).toBe("sent");
  });

  it.each([
    ["read", "read"],
    ["failed", "failed"],
  ])("of a resend that come before its answer count: %s", async (status, state) => {
    resendMessage(world.deps, ADMIN_ACTOR, id);
    await sendWhile({ status, errors: [{ code: 131026 }] }, { outcome: "sent", transportId: NEXT });
    expect(row()).toMatchObject({ state, attempts: 1 });
  });

  it("mend a resend whose answer was lost, and only that one", async () => {
    const old = wamid();
    resendMessage(world.deps, ADMIN_ACTOR, id);
    await sendWhile({ status: "delivered" }, { outcome: "retry", code: "NETWORK", error: "" });
    expect(row()).toMatchObject({ state: "delivered" });
    expect(findMessage(world.deps.db, id)).toMatchObject({ nextTryAt: null, transportId: NEXT });
    // Until the lease has ended.
    world.pass(10_000);
    resendMessage(world.deps, ADMIN_ACTOR, id);
    const late = [
      { id: old, status: "read", biz_opaque_callback_data: id },
      { id: NEXT, status: "read", biz_opaque_callback_data: `${id}.1` },
    ];
    expect(send({ statuses: late })).toMatchObject({ value: { reports: 0 } });
    expect(row()?.state).toBe("queued");
  });

  it.each([
    ["sent", "sent", false, 0],
    ["sent", "delivered", false, 1],
    ["sent", "failed", false, 1],
    ["read", "delivered", false, 0],
    ["delivered", "failed", false, 0],
    ["failed", "failed", false, 0],
    ["failed", "sent", false, 1],
    ["queued", "failed", false, 1],
    ["retrying", "failed", true, 1],
    ["queued", "sent", true, 1],
  ])("turn a message %s into %s (no id yet: %j): %i", (from, to, unnamed, reports) => {
    world.deps.db.runRaw(
      `UPDATE message SET state = ?, sent_at = NULL, next_try_at = ?,
         transport_id = iif(?, NULL, transport_id) WHERE id = ?`,
      [from, unnamed ? 1 : null, Number(unnamed), id],
    );
    const outcome = report(to, { biz_opaque_callback_data: id });
    expect(outcome).toEqual({ ok: true, value: { reports, words: 0 } });
    expect(row()?.state).toBe(reports === 1 ? to : from);
  });

  it("without an instant count from now, and say why it failed as far as it is known", () => {
    const fails = (errors?: object[], timestamp?: string) => {
      world.deps.db.runRaw("UPDATE message SET state = 'sent', sent_at = NULL WHERE id = ?", [id]);
      send({ statuses: [{ id: wamid(), status: "failed", errors, timestamp }] });
      return row()?.last_error;
    };
    const before = Date.now();
    expect(fails()).toBe("WhatsApp could not deliver it.");
    expect(findMessage(world.deps.db, id)?.sentAt).toBeGreaterThanOrEqual(before);
    expect(fails([{ code: 131026 }], "0")).toMatch(/^WhatsApp 131026: This number cannot [^(]*$/);
    expect(findMessage(world.deps.db, id)?.sentAt).toBeGreaterThanOrEqual(before);
    expect(fails([{ code: 131026, title: "Title" }])).toMatch(/ \(Title\)$/);
    const details = "d".repeat(400);
    const long = fails([{ code: 131026, title: "Title", error_data: { details } }]);
    expect(long).toMatch(/ \(d+$/);
    expect(long).toHaveLength(300);
    const alerts = () => world.messages().filter(({ kind }) => kind === "admin_whatsapp_trouble");
    expect(alerts()).toEqual([]);
    fails([{ code: 100 }]);
    expect(alerts()).toHaveLength(1);
    report("read", { errors: [{ code: 190 }] });
    expect(alerts()).toHaveLength(1);
  });

  it("and words in one body are each counted", () => {
    const words = ["stop", "START", "hello"].map((body, second) => ({
      from: PHONE,
      timestamp: String(second + 1),
      text: { body },
    }));
    // Without an instant it counts from now.
    const byButton = { from: PHONE.slice(1), button: { text: "Stop all" } };
    const nobodys = [{ from: "", text: { body: "stop" } }, { text: { body: "stop" } }];
    const statuses = ["delivered", "read"].map((status) => ({ id: wamid(), status }));
    const outcome = send({ statuses, messages: [...words, byButton, ...nobodys] });
    expect(outcome).toEqual({ ok: true, value: { reports: 2, words: 3 } });
    expect(isOptedOut(world.deps.db, PHONE)).toBe(true);
  });

  it("are accepted in a body of another kind, refused in a malformed one, and unknown where WhatsApp is off", () => {
    const signed = (text: string, deps = world.deps) => {
      const secret = world.deps.env.whatsapp?.appSecret ?? "";
      const signature = `sha256=${signedBy(secret, text)}`;
      return applyWhatsAppWebhook(deps, Buffer.from(text), signature);
    };
    expect(signed('{"object":1}')).toEqual({ ok: true, value: { reports: 0, words: 0 } });
    expect(signed("null")).toMatchObject({ ok: true });
    expect(signed('{"object":"o","entry":[{"changes":[{}]},{}]}')).toMatchObject({ ok: true });
    expect(signed("{")).toMatchObject({ ok: false, code: "malformed_json" });
    const off = { ...world.deps, env: { ...world.deps.env, whatsapp: null } };
    expect(signed("{}", off)).toMatchObject({ ok: false, code: "not_found" });
  });

  it("that make no sense change nothing", () => {
    const none = { ok: true, value: { reports: 0, words: 0 } };
    const statuses = [null, 1, { id: "x" }, { id: "unknown", status: "read" }];
    expect(send({ statuses })).toEqual(none);
    fc.assert(fc.property(fc.jsonValue(), (value) => send(value).ok));
  });
});

describe("a failure that passes", () => {
  const stored = () => findMessage(world.deps.db, id)!;
  const fails = (code = 131016, timestamp?: string) =>
    report("failed", { errors: [{ code }], timestamp });
  const secondsAgo = (late: number) => String(Math.floor(world.now() / 1000) - late);
  const failsAfter = (since: string) => {
    world.deps.db.runRaw(`UPDATE appointment SET ${since}`);
    fails();
  };

  it("is tried again", async () => {
    const code = 131016;
    const first = wamid();
    expect(fails(code)).toMatchObject({ value: { reports: 1 } });
    const waits = stored();
    const lastError = expect.stringContaining(`WhatsApp ${code}: `);
    expect(waits).toMatchObject({ state: "retrying", attempts: 1, transportId: first, lastError });
    expect(waits.nextTryAt! - world.now()).toBeGreaterThan(29_000);
    // Whatever else is told of the send that failed.
    for (const status of ["failed", "sent", "delivered"]) {
      for (const own of [undefined, id]) {
        const late = { status, biz_opaque_callback_data: own, errors: [{ code }] };
        expect(report(status, late)).toMatchObject({ value: { reports: 0 } });
      }
    }
    expect(stored()).toEqual(waits);
    await runOutbox(world.deps);
    expect(wamid()).toBe(first);
    world.pass(31_000);
    await runOutbox(world.deps);
    expect(wamid()).not.toBe(first);
    expect(stored()).toMatchObject({ state: "sent", attempts: 2, lastError: null });
    report("delivered");
    expect(row()?.state).toBe("delivered");
  });

  it.each([
    ["another code", () => fails(131026), "failed"],
    ["an hour late", () => fails(131016, secondsAgo(61 * 60)), "failed"],
    ["less than an hour late", () => fails(131016, secondsAgo(59 * 60)), "retrying"],
    ["of a corrected number", () => failsAfter("phone = '+919811111111'"), "failed"],
    ["of what was refused since", () => failsAfter("whatsapp = 0"), "failed"],
  ])("%s leaves the message %s", (_, fail, state) => {
    fail();
    expect(stored()).toMatchObject({ state });
  });

  it("five times in all, within minutes", async () => {
    const before = world.now();
    for (let tries = 1; tries < 5; tries++) {
      fails();
      expect(stored()).toMatchObject({ state: "retrying", attempts: tries });
      world.pass(stored().nextTryAt! - world.now());
      await runOutbox(world.deps);
    }
    expect(world.now() - before).toBeLessThan(10 * 60_000);
    fails();
    expect(stored()).toMatchObject({ state: "failed", attempts: 5, nextTryAt: null });
  });

  it("reported before the answer is tried again too", async () => {
    resendMessage(world.deps, ADMIN_ACTOR, id);
    const sent = { outcome: "sent", transportId: NEXT } as const;
    await sendWhile({ status: "failed", errors: [{ code: 131016 }] }, sent);
    const lastError = expect.stringContaining("131016");
    const waits = { state: "retrying", attempts: 1, transportId: NEXT, lastError };
    expect(stored()).toMatchObject(waits);
    expect(stored().nextTryAt).toBeGreaterThan(world.now());
  });
});

it("the challenge is answered to the right token only", () => {
  const ask = (changes: Record<string, string> = {}) => {
    const token = world.deps.env.whatsapp?.verifyToken ?? "";
    const all = { "hub.mode": "subscribe", "hub.verify_token": token, "hub.challenge": "4711" };
    const query = new URLSearchParams({ ...all, ...changes });
    return answerChallenge(world.deps.env, new URL(`https://a.example/webhooks/whatsapp?${query}`));
  };
  expect(ask()).toBe("4711");
  expect(ask({ "hub.verify_token": "wrong" })).toBeNull();
  expect(ask({ "hub.mode": "unsubscribe" })).toBeNull();
  expect(answerChallenge({ whatsapp: null }, new URL("https://a.example/"))).toBeNull();
});
