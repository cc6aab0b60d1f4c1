/** What goes out, with what it carries, through the faults of others; the mails of one booking are one conversation, and the last one is right. */
import { readFileSync } from "node:fs";
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { LOGO_PNG_WIDTH } from "#app/model/catalogue.ts";
import type { MessageEvent } from "#app/model/message-events.ts";
import { resumeOutbox, runOutbox } from "#app/notifications/outbox.server.ts";
import { queueMessages, resendMessage } from "#app/notifications/queue.server.ts";
import { openDb } from "#db/connection.server.ts";
import { savePortrait } from "#db/queries/catalogue.server.ts";
import { insertDocument } from "#db/queries/documents.server.ts";
import { takeDueMessages } from "#db/queries/message-leases.server.ts";
import { findMessage } from "#db/queries/messages.server.ts";
import { fresh } from "#tests/support/hooks.ts";
import { ledgerRow } from "#tests/support/ledger-rows.ts";
import { windowUntil } from "#tests/support/sample-messages.ts";
import { ADMIN_ACTOR } from "#tests/support/till.ts";
import { change, makeWorld, until } from "./setup.ts";

const world = fresh(makeWorld, (made) => made.close());

function queue(event: MessageEvent): void {
  queueMessages(world.deps.db, world.deps.env, world.now(), event);
}

const run = () => runOutbox(world.deps);
const states = () => world.messages().map(({ state }) => state);
const mails = (to?: string) => world.sandbox.mailbox.list(to ? { to } : {});

function addInvoiced(serial = 1) {
  const appointment = world.addAppointment();
  const ids = { paymentId: `pay_${serial}`, number: `AC/26-27/0000${serial}`, serial };
  insertDocument(world.deps.db, ledgerRow({ appointmentId: appointment.id, ...ids }));
  return appointment;
}

describe("a code that was mailed", () => {
  const bytes = () => {
    const { path } = world.deps.db;
    return ["", "-wal"].map((suffix) => readFileSync(path + suffix).includes("918273"));
  };
  const code = { email: "asha@captains.example", code: "918273", expiresAt: 4e12 };

  it("stands in no byte of the file or its log, once its mail has gone", async () => {
    queue({ type: "reset_code", requestId: "r1", ...code });
    expect(bytes()).toContain(true);
    world.deps.db.driver.pragma("wal_checkpoint(PASSIVE)");
    expect(bytes()).toEqual([true, true]);
    await run();
    expect(states()).toEqual(["sent"]);
    expect(mails(code.email)[0]?.text).toContain(code.code);
    expect(bytes()).toEqual([false, false]);
    const id = world.messages()[0]?.id ?? "";
    expect(findMessage(world.deps.db, id)?.data.code).toBeUndefined();
    expect(resendMessage(world.deps, ADMIN_ACTOR, id)).toMatchObject({ ok: false });
  });

  it("goes from the log with a later run where another process was reading, without waiting", async () => {
    await run();
    const other = openDb(world.deps.db.path, { readonly: true });
    queue({ type: "team_invitation", requestId: "r2", role: "staff", ...code });
    other.driver.exec("BEGIN");
    other.ping();
    other.firstRaw("SELECT count(*) FROM message");
    const begun = performance.now();
    await run();
    expect([states(), bytes()[1]]).toEqual([["failed"], true]);
    expect(performance.now() - begun).toBeLessThan(1_500);
    other.close();
    await run();
    expect(bytes()).toEqual([false, false]);
  });
});

it("a confirmation arrives with invoice and invite, also as an alternative, by mail and WhatsApp", async () => {
  addInvoiced();
  const appointment = addInvoiced(2);
  queue({ type: "confirmed", appointment });
  expect(await run()).toBe(3);
  expect(states()).toEqual(["sent", "sent", "sent"]);
  const [mail] = mails(appointment.contact.email);
  expect(mail?.messageId).toBe(`<${world.messages()[0]?.id}@captains.example>`);
  expect(mail?.subject).toContain("Confirmed: Sat, 21 Nov, 2:00 PM IST");
  const names = mail?.attachments.map(({ filename }) => filename);
  expect(names).toContain("invoice-AC-26-27-00002.pdf");
  expect(names).toContain("invite.ics");
  const headers = Object.fromEntries(mail?.headers.map(({ key, value }) => [key, value]) ?? []);
  expect(headers["auto-submitted"]).toBe("auto-generated");
  expect(headers["reply-to"]).toContain(world.deps.env.business.email);
  const raw = rawOf(appointment.contact.email);
  expect(raw).not.toContain("<img");
  expect(raw).toMatch(/text\/calendar; charset=utf-8; method=REQUEST/i);
  expect(raw.indexOf("text/calendar")).toBeLessThan(raw.indexOf("Content-Type: application/pdf"));
  const [message] = world.sandbox.whatsapp.messages;
  expect(message).toMatchObject({ to: "+919876512345", opaque: world.messages()[1]?.id });
  expect(message?.template).toMatchObject({ name: "booking_confirmed", language: "en" });
});

it("the owner's logo is in the mail itself, beside the brand", async () => {
  const bytes = Buffer.from("a picture");
  savePortrait(world.deps.db, { id: "l", width: LOGO_PNG_WIDTH, bytes });
  world.deps.env.brand.logo = "l";
  await tell({ type: "confirmed", appointment: addInvoiced() });
  const { html, attachments } = await PostalMime.parse(rawOf("priya@visitors.example"));
  const images = attachments.filter(({ mimeType }) => mimeType === "image/png");
  expect(images).toMatchObject([{ contentId: "<logo>", disposition: "inline", related: true }]);
  expect(Buffer.from(images[0]?.content as ArrayBuffer)).toEqual(bytes);
  expect(html).toContain('<img src="cid:logo" width="48" height="48" alt=""');
});

it("a message in hand is not queued again, and no line of the log says so", () => {
  queue({ type: "unpaid", appointment: pending() });
  const { id } = world.messages()[0]!;
  const lease = { channel: "email", limit: 1, leaseUntil: world.now() + 60_000 } as const;
  expect(takeDueMessages(world.deps.db, world.now(), lease)).toHaveLength(1);
  expect(resendMessage(world.deps, ADMIN_ACTOR, id)).toMatchObject({ ok: true });
  expect(world.deps.db.allRaw("SELECT 1 FROM activity WHERE action = 'resend'")).toEqual([]);
});

describe("a fault of the mail server", () => {
  it("550: parked, visible, and sent again by hand", async () => {
    queue({ type: "unpaid", appointment: pending() });
    world.sandbox.switches.set({ name: "smtp_550", count: 1 });
    await run();
    const { id, ...failed } = world.messages()[0]!;
    expect(failed).toMatchObject({ state: "failed", attempts: 1 });
    expect(failed.last_error).toContain("550");
    for (const n of [1, 2]) {
      expect(resendMessage(world.deps, ADMIN_ACTOR, id)).toMatchObject({ ok: true });
      await run();
      expect(world.messages()[0]).toMatchObject({ state: "sent", attempts: 1 });
      expect(mails("priya@visitors.example")).toHaveLength(n);
    }
    const ids = mails("priya@visitors.example").map(({ messageId }) => messageId);
    expect(ids.sort()).toEqual([`<${id}.1@captains.example>`, `<${id}.2@captains.example>`]);
    expect(resendMessage(world.deps, ADMIN_ACTOR, "unknown")).toMatchObject({ code: "not_found" });
  });

  it("refused connections: everything waits and arrives later", async () => {
    world.sandbox.switches.set({ name: "smtp_refuse" });
    await world.sandbox.mailbox.settled();
    queue({ type: "confirmed", appointment: addInvoiced() });
    await run();
    expect(states()).toEqual(["retrying", "sent", "retrying"]);
    world.sandbox.switches.clear("smtp_refuse");
    await world.sandbox.mailbox.settled();
    expect(resumeOutbox(world.deps)).toBeLessThanOrEqual(2);
    await until(world, () => states().every((state) => state === "sent"), run);
  });

  it("an answer that is lost: sent again under the same Message-ID", async () => {
    queue({ type: "unpaid", appointment: pending() });
    world.sandbox.switches.set({ name: "smtp_answer_lost", count: 1 });
    await until(world, () => world.messages()[0]?.state === "sent", run);
    const ids = mails("priya@visitors.example").map(({ messageId }) => messageId);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });
});

it("a message that stops being true while its document is made is not sent", async () => {
  const a = addInvoiced();
  queue({ type: "confirmed", appointment: a });
  world.deps.documents.renderDocument = async () => {
    change(world, a.id, { status: "cancelled" });
    return Buffer.from("%PDF-1.7");
  };
  await run();
  expect(mails(a.contact.email)).toEqual([]);
  expect(world.messages().find(({ recipient }) => recipient === a.contact.email)).toMatchObject({
    state: "failed",
    last_error: expect.stringMatching(/^Not sent: the appointment is now: cancelled/),
  });
});

const pending = () => world.addAppointment({ status: "pending_payment", window: windowUntil(1) });

function rawOf(to: string): string {
  return world.sandbox.mailbox.find(mails(to)[0]?.n ?? 0)?.raw.toString("utf8") ?? "";
}

async function tell(event: MessageEvent): Promise<void> {
  queue(event);
  await run();
}

it("replies to one root that is not the booking's id, under a subject that ends alike", async () => {
  const one = world.addAppointment({ calendarUid: "uid1" });
  const other = world.addAppointment({ calendarUid: "uid2" });
  await tell({ type: "confirmed", appointment: one });
  const moved = change(world, one.id, { status: "rescheduled", calendar_sequence: 1 });
  const previous = { date: "2026-11-19", timeSlot: "09:00" };
  await tell({ type: "rescheduled", appointment: moved, previous, by: "admin" });
  const off = change(world, one.id, { status: "cancelled", calendar_sequence: 2 });
  await tell({ type: "cancelled", appointment: off, wasPaid: true, refundId: null, by: "admin" });
  await tell({ type: "confirmed", appointment: other });
  const threads = world.sandbox.mailbox.list().map((mail) => {
    const headers = new Map(mail.headers.map(({ key, value }) => [key, value]));
    expect(headers.get("in-reply-to")).toBe(headers.get("references"));
    return { root: headers.get("references"), to: mail.envelope.to.join(), subject: mail.subject };
  });
  const roots = Map.groupBy(threads, ({ root }) => root);
  expect([...roots].map(([root, mails]) => [root, mails.length])).toEqual([
    ["<uid1@captains.example>", 6],
    ["<uid2@captains.example>", 2],
  ]);
  for (const [mailbox, mails] of Map.groupBy(threads.slice(0, 6), ({ to }) => to)) {
    const codes = mails.map(({ subject }) => subject.split(" ").at(-1));
    expect([mailbox, new Set(codes).size, codes.length]).toEqual([mailbox, 1, 3]);
    expect(new Set(mails.map(({ subject }) => subject)).size).toBe(3);
  }
  expect(JSON.stringify(threads)).not.toContain(one.id);
});

it("notifies the captain of a corrected phone, in the mail and in the calendar that names it", async () => {
  const one = world.addAppointment({ counselorKey: "rohan", counselor: "Capt. Rohan Sample" });
  await tell({ type: "confirmed", appointment: one });
  const appointment = change(world, one.id, { phone: "+919845099887" });
  await tell({ type: "contact_corrected", appointment, changed: ["phone"] });
  const [first, second, ...more] = mails("rohan@captains.example");
  expect(more).toEqual([]);
  const linesOf = async ({ n }: { n: number }) => {
    const { attachments } = await PostalMime.parse(world.sandbox.mailbox.find(n)!.raw);
    const file = attachments.find(({ mimeType }) => mimeType === "text/calendar");
    const text = new TextDecoder().decode(file?.content as ArrayBuffer);
    return text.replace(/\r?\n /g, "").split(/\r?\n/);
  };
  expect(first!.text).toContain("+91 98765 12345");
  expect(second!.subject).toContain("Details corrected");
  expect(second!.text).toContain("+91 98450 99887");
  const [before, after] = [await linesOf(first!), await linesOf(second!)];
  expect(after).toContain("METHOD:REQUEST");
  expect(after.join()).toContain("+919845099887");
  const ids = (lines: string[]) => lines.filter((line) => /^(UID|SEQUENCE):/.test(line));
  expect(ids(after)).toEqual(ids(before));
  expect(ids(after)).toHaveLength(2);
});
