import { readFileSync } from "node:fs";
import PostalMime from "postal-mime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Contact } from "#app/model/appointment.ts";
import type { MessageEvent } from "#app/model/message-events.ts";
import { resumeOutbox, runOutbox } from "#app/notifications/outbox.server.ts";
import { queueMessages, resendMessage } from "#app/notifications/queue.server.ts";
import { openDb } from "#db/connection.server.ts";
import { insertDocument } from "#db/queries/documents.server.ts";
import { findMessage } from "#db/queries/messages.server.ts";
import { ledgerRow } from "#tests/support/ledger-rows.ts";
import { SAMPLE_CONTACT, windowUntil } from "#tests/support/sample-messages.ts";
import { change, makeWorld, until, type World } from "./setup.ts";

const ADMIN = { kind: "admin", username: "admin", role: "owner" } as const;

let world: World;

beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

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
    expect(bytes()).toEqual([false, false]);
  });

  it("goes from the log with a later run where another read it then, without waiting", async () => {
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

describe("a confirmation", () => {
  it("arrives with invoice and invite, by mail and WhatsApp", async () => {
    addInvoiced();
    const appointment = addInvoiced(2);
    queue({ type: "confirmed", appointment });
    expect(await run()).toBe(3);
    expect(states()).toEqual(["sent", "sent", "sent"]);
    const [mail] = mails(appointment.contact.email);
    expect(mail?.messageId).toBe(`<${world.messages()[0]?.id}@captains.example>`);
    expect(mail?.subject).toContain("Confirmed: Sat, 21 Nov 2026, 2:00 PM IST");
    const names = mail?.attachments.map(({ filename }) => filename);
    expect(names).toContain("invoice-AC-26-27-00002.pdf");
    expect(names).toContain("invite.ics");
    const headers = Object.fromEntries(mail?.headers.map(({ key, value }) => [key, value]) ?? []);
    expect(headers["auto-submitted"]).toBe("auto-generated");
    expect(headers["reply-to"]).toContain(world.deps.env.business.email);
    const [message] = world.sandbox.whatsapp.messages;
    expect(message).toMatchObject({ to: "+919876512345", opaque: world.messages()[1]?.id });
    expect(message?.template).toMatchObject({ name: "booking_confirmed", language: "en" });
  });

  it("carries the calendar as an alternative whose method is REQUEST", async () => {
    queue({ type: "confirmed", appointment: addInvoiced() });
    await run();
    const raw = rawOf("priya@visitors.example");
    expect(raw).toMatch(/text\/calendar; charset=utf-8; method=REQUEST/i);
    expect(raw.indexOf("text/calendar")).toBeLessThan(raw.indexOf("Content-Type: application/pdf"));
    const parsed = await PostalMime.parse(raw);
    const calendar = parsed.attachments.find(({ mimeType }) => mimeType === "text/calendar");
    const text = new TextDecoder().decode(calendar?.content as ArrayBuffer);
    expect(text).toContain("METHOD:REQUEST");
    expect(text.replace(/\r?\n /g, "").toLowerCase()).toContain("mailto:priya@visitors.example");
  });

  it("moves and removes the calendar entry under the same UID", async () => {
    const a = addInvoiced();
    const moved = change(world, a.id, { status: "rescheduled", calendar_sequence: 1 });
    queue({
      type: "rescheduled",
      appointment: moved,
      previous: { date: "2026-11-19", timeSlot: "09:00" },
      by: "customer",
    });
    await run();
    const off = change(world, a.id, {
      status: "cancelled",
      calendar_sequence: 2,
      cancel_reason: "by_admin",
    });
    queue({ type: "cancelled", appointment: off, wasPaid: true, refundId: "refund1", by: "admin" });
    await run();
    // There is no credit note before the money goes back.
    expect(JSON.stringify(mails(a.contact.email)[1]?.attachments)).not.toContain(".pdf");
    const calendars = mails(a.contact.email).map((_, i) =>
      calendarOf(mails(a.contact.email)[i]?.n ?? 0),
    );
    expect(calendars[0]).toContain("METHOD:REQUEST");
    expect(calendars[0]).toContain("SEQUENCE:1");
    expect(calendars[1]).toContain("METHOD:CANCEL");
    expect(calendars[1]).toContain("SEQUENCE:2");
    const uids = calendars.map((text) => /UID:(\S+)/.exec(text)?.[1]);
    expect(uids[0]).toBe(uids[1]);
    expect(uids[0]).toContain(a.calendarUid);
  });
});

it("a cancellation after the session takes nothing out of a calendar", async () => {
  const { id, contact } = addInvoiced();
  world.pass(4 * 24 * 3_600_000);
  const off = change(world, id, { status: "cancelled", cancel_reason: "by_admin" });
  queue({ type: "cancelled", appointment: off, wasPaid: true, refundId: "refund1", by: "admin" });
  await run();
  expect(mails(contact.email).map(({ attachments }) => attachments)).toEqual([[]]);
});

describe("a fault of the mail server", () => {
  it("550: parked, visible, and sent again by hand", async () => {
    queue({ type: "unpaid", appointment: pending() });
    world.sandbox.switches.set({ name: "smtp_550", count: 1 });
    await run();
    const failed = world.messages()[0];
    expect(failed).toMatchObject({ state: "failed", attempts: 1 });
    expect(failed?.last_error).toContain("550");
    expect(resendMessage(world.deps, ADMIN, failed?.id ?? "")).toMatchObject({ ok: true });
    await run();
    expect(world.messages()[0]).toMatchObject({ state: "sent", attempts: 1 });
    expect(resendMessage(world.deps, ADMIN, failed?.id ?? "")).toMatchObject({ ok: true });
    await run();
    const ids = mails().filter(({ to }) => to.includes("priya@visitors.example"));
    expect(ids.map(({ messageId }) => messageId)).toEqual([
      `<${failed?.id}.1@captains.example>`,
      `<${failed?.id}.2@captains.example>`,
    ]);
    expect(resendMessage(world.deps, ADMIN, "unknown")).toMatchObject({
      ok: false,
      code: "not_found",
    });
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

describe("what no longer holds", () => {
  it("is not sent either where it was still true before its document was made", async () => {
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

  it("is parked with its reason instead of sent", async () => {
    const a = addInvoiced();
    queue({ type: "confirmed", appointment: a });
    change(world, a.id, { status: "cancelled" });
    await run();
    expect(mails()).toEqual([]);
    for (const message of world.messages()) {
      expect(message).toMatchObject({ state: "failed", attempts: 0 });
      expect(message.last_error).toMatch(/^Not sent: the appointment is now: cancelled/);
    }
  });

  it("a day's reminder gives way to the hour's, which goes until the start", async () => {
    const appointment = world.addAppointment();
    world.pass(appointment.startsAt - world.now() - 30 * 60_000);
    queue({ type: "reminder", appointment, hours: 24 });
    queue({ type: "reminder", appointment, hours: 1 });
    await run();
    const fates = world.messages().map(({ kind, state }) => `${kind} ${state}`);
    expect(fates.filter((fate) => fate.startsWith("reminder")).sort()).toEqual([
      ...["reminder_1h sent", "reminder_1h sent"],
      ...["reminder_24h failed", "reminder_24h failed"],
    ]);
  });

  it("a mail of links leaves out bookings that are gone, and stays when all are", async () => {
    const {
      id,
      contact: { email },
    } = world.addAppointment();
    for (const appointmentIds of [["gone", id], ["gone"]]) {
      queue({ type: "booking_links", requestId: appointmentIds.join(), email, appointmentIds });
    }
    await run();
    expect(mails(email)).toHaveLength(1);
    expect(mails(email)[0]?.text).toContain(`/booking/${id}`);
    expect(states().sort()).toEqual(["failed", "sent"]);
  });

  it("a code is sent once and erased", async () => {
    const expiresAt = Date.now() + 600_000;
    queue({
      type: "reset_code",
      requestId: "r1",
      email: "a@visitors.example",
      code: "042137",
      expiresAt,
    });
    await run();
    expect(mails("a@visitors.example")[0]?.text).toContain("042137");
    const [row] = world.messages();
    expect(JSON.stringify(row)).not.toContain("042137");
    expect(findMessage(world.deps.db, row?.id ?? "")?.data.code).toBeUndefined();
    expect(resendMessage(world.deps, ADMIN, row?.id ?? "")).toMatchObject({ ok: false });
  });
});

it("a backup that failed is told to the owner with its error", async () => {
  queue({ type: "backup_failed", at: world.now(), error: "ENOSPC: no space left on device" });
  await run();
  expect(mails("hello@captains.example")[0]?.text).toContain("Error: ENOSPC: no space left");
});

function pending(changes: Partial<Contact> = {}) {
  const contact = { ...SAMPLE_CONTACT, ...changes };
  return world.addAppointment({ status: "pending_payment", window: windowUntil(1), contact });
}

function rawOf(to: string): string {
  return world.sandbox.mailbox.find(mails(to)[0]?.n ?? 0)?.raw.toString("utf8") ?? "";
}

function calendarOf(n: number): string {
  const raw = world.sandbox.mailbox.find(n)?.raw.toString("utf8") ?? "";
  const encoded = /application\/ics[\s\S]*?\r\n\r\n([\s\S]*?)\r\n--/.exec(raw)?.[1] ?? "";
  return Buffer.from(encoded, "base64").toString("utf8");
}
