import { createHmac } from "node:crypto";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { runOutbox } from "#app/notifications/outbox.server.ts";
import { queueMessages, resendMessage } from "#app/notifications/queue.server.ts";
import {
  answerChallenge,
  applyWhatsAppWebhook,
  isSigned,
} from "#app/notifications/whatsapp-webhook.server.ts";
import { isOptedOut } from "#db/queries/message-leases.server.ts";
import { findMessage } from "#db/queries/messages.server.ts";
import { shared } from "#tests/support/hooks.ts";
import { makeWorld } from "./setup.ts";

const ADMIN = { kind: "admin", username: "admin", role: "owner" } as const;

const world = shared(makeWorld, (made) => made.close());
let id: string;
beforeEach(async () => {
  for (const table of ["message", "opt_out", "appointment"]) {
    world.deps.db.runRaw(`DELETE FROM ${table}`);
  }
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

function send(value: unknown, sign = true) {
  const body = Buffer.from(
    JSON.stringify({
      object: "whatsapp_business_account",
      entry: [{ id: "1", changes: [{ field: "messages", value }] }],
    }).replaceAll("/", "\\/"),
  );
  const secret = sign ? (world.deps.env.whatsapp?.appSecret ?? "") : "another";
  const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  return applyWhatsAppWebhook(world.deps, body, signature);
}

const report = (status: string, more = {}) =>
  send({ statuses: [{ id: wamid(), status, timestamp: "1795000000", ...more }] });
const PHONE = "+919876512345";
/** A message of a customer, `second` by its own clock. */
const wrote = (body: string, second: number) => ({
  ...{ from: PHONE.slice(1), id: "wamid.in", timestamp: String(second) },
  ...{ type: "text", text: { body } },
});
const says = (body: string, second = 1) => send({ messages: [wrote(body, second)] });
const isOut = () => isOptedOut(world.deps.db, PHONE);

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
    expect(send(value, false)).toMatchObject({ ok: false, code: "invalid_signature" });
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
    resendMessage(world.deps, ADMIN, id);
    const late = send({ statuses: [{ id: old, status: "read", biz_opaque_callback_data: id }] });
    expect(late).toMatchObject({ value: { reports: 0 } });
    expect(row()?.state).toBe("queued");
    await runOutbox(world.deps);
    expect(wamid()).not.toBe(old);
    send({ statuses: [{ id: old, status: "read", biz_opaque_callback_data: id }] });
    expect(row()?.state).toBe("sent");
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
    const kinds = world.messages().map(({ kind }) => kind);
    expect(kinds).not.toContain("admin_whatsapp_trouble");
    fails([{ code: 100 }]);
    expect(world.messages().filter(({ kind }) => kind === "admin_whatsapp_trouble")).toHaveLength(
      1,
    );
    report("read", { errors: [{ code: 190 }] });
    expect(world.messages().filter(({ kind }) => kind === "admin_whatsapp_trouble")).toHaveLength(
      1,
    );
  });

  it("and words in one body are each counted", () => {
    const words = ["stop", "START", "hello"].map((body, second) => ({
      ...wrote(body, second + 1),
      from: PHONE,
    }));
    // Without an instant it counts from now.
    const byButton = { from: PHONE.slice(1), button: { text: "Stop all" } };
    const outcome = send({
      statuses: [
        { id: wamid(), status: "delivered" },
        { id: wamid(), status: "read" },
      ],
      messages: [
        ...words,
        byButton,
        { from: "", text: { body: "stop" } },
        { text: { body: "stop" } },
      ],
    });
    expect(outcome).toEqual({ ok: true, value: { reports: 2, words: 3 } });
    expect(isOut()).toBe(true);
    expect(says("go on")).toMatchObject({ value: { words: 0 } });
  });

  it("are accepted in a body of another kind, refused in a malformed one, and unknown where WhatsApp is off", () => {
    const signed = (text: string, deps = world.deps) => {
      const secret = world.deps.env.whatsapp?.appSecret ?? "";
      const signature = createHmac("sha256", secret).update(text).digest("hex");
      return applyWhatsAppWebhook(deps, Buffer.from(text), `sha256=${signature}`);
    };
    expect(signed('{"object":1}')).toEqual({ ok: true, value: { reports: 0, words: 0 } });
    expect(signed("null")).toMatchObject({ ok: true });
    expect(signed('{"object":"o","entry":[{"changes":[{}]},{}]}')).toMatchObject({ ok: true });
    expect(signed("{")).toMatchObject({ ok: false, code: "malformed_json" });
    const off = { ...world.deps, env: { ...world.deps.env, whatsapp: null } };
    expect(signed("{}", off)).toMatchObject({ ok: false, code: "not_found" });
  });

  it("that make no sense change nothing", () => {
    expect(send({ statuses: [null, 1, { id: "x" }, { id: "unknown", status: "read" }] })).toEqual({
      ok: true,
      value: { reports: 0, words: 0 },
    });
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(send(value).ok).toBe(true);
      }),
    );
  });
});

describe("words", () => {
  it.each(["STOP", "stop.", " Stop ", "UNSUBSCRIBE", "बंद करो"])("%s opts out", (word) => {
    expect(says(word)).toMatchObject({ value: { words: 1 } });
    expect(isOut()).toBe(true);
    expect(says("START", 2)).toMatchObject({ value: { words: 1 } });
    expect(isOut()).toBe(false);
  });

  it.each(["stop by at 5?", "cancel", "", "please do not stop"])("%j does not", (word) => {
    says(word);
    expect(isOut()).toBe(false);
  });

  // Meta repeats a body for days, in any order.
  it.each([
    { told: ["START 1", "STOP 2", "START 1"], out: true },
    { told: ["STOP 1", "START 2", "STOP 1"], out: false },
    { told: ["START 2", "STOP 1"], out: false },
    { told: ["STOP 2", "START 1"], out: true },
    { told: ["STOP 1", "STOP 3", "START 2"], out: true },
    // Within one second nobody knows; a refusal is honoured.
    { told: ["STOP 1", "START 1"], out: true },
    { told: ["START 1", "STOP 1"], out: true },
  ])("count by when they were written: $told, in one body and in many", ({ told, out }) => {
    const messages = told.map((each) => each.split(" ")).map(([b, at]) => wrote(b!, Number(at)));
    for (const message of messages) send({ messages: [message] });
    expect(isOut()).toBe(out);
    world.deps.db.runRaw("DELETE FROM opt_out");
    send({ messages });
    expect(isOut()).toBe(out);
  });

  it("that change nothing are not counted", () => {
    const applied = (body: string, second: number) => {
      const told = says(body, second);
      return told.ok && told.value.words;
    };
    expect([applied("stop", 2), applied("stop", 2), applied("start", 1)]).toEqual([1, 0, 0]);
  });
});

describe("the challenge", () => {
  const ask = (changes: Record<string, string> = {}) => {
    const url = new URL("https://book.captains.example/webhooks/whatsapp");
    const token = world.deps.env.whatsapp?.verifyToken ?? "";
    const all = { "hub.mode": "subscribe", "hub.verify_token": token, "hub.challenge": "4711" };
    for (const [key, value] of Object.entries({ ...all, ...changes }))
      url.searchParams.set(key, value);
    return answerChallenge(world.deps.env, url);
  };

  it("is answered to the right token only", () => {
    expect(ask()).toBe("4711");
    expect(ask({ "hub.verify_token": "wrong" })).toBeNull();
    expect(ask({ "hub.mode": "unsubscribe" })).toBeNull();
    expect(answerChallenge({ whatsapp: null }, new URL("https://a.example/"))).toBeNull();
  });
});
