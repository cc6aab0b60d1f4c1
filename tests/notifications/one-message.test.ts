/** What is done to one message is done to no other. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MessageEvent } from "#app/model/message-events.ts";
import type { Channel } from "#app/model/messages.ts";
import { runOutbox } from "#app/notifications/outbox.server.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import { resendMessage } from "#app/notifications/resend.server.ts";
import { takeDueMessages } from "#db/queries/message-leases.server.ts";
import {
  findMessageForReport,
  redirectCustomerMessages,
  requeueMessage,
  supersedeConfirmation,
} from "#db/queries/messages.server.ts";
import { SAMPLE_CONTACT, windowUntil } from "#tests/support/sample-messages.ts";
import { change, makeWorld, type World } from "./setup.ts";

const ADMIN = { kind: "admin", username: "admin", role: "owner" } as const;
const HOUR = 3_600_000;

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const db = () => world.deps.db;
const queue = (event: MessageEvent) => queueMessages(db(), world.deps.env, world.now(), event);
const set = (changes: string, where = "1") =>
  db().runRaw(`UPDATE message SET ${changes} WHERE ${where}`);
const rows = () => db().allRaw<Record<string, unknown>>("SELECT * FROM message ORDER BY rowid");
const whatsapps = () => world.messages().filter(({ channel }) => channel === "whatsapp");

/** Two paid sessions; each has three messages of its confirmation. */
function confirmTwo() {
  const [one, two] = [world.addAppointment(), world.addAppointment()];
  queue({ type: "confirmed", appointment: one });
  queue({ type: "confirmed", appointment: two });
  return [one, two] as const;
}

const idOf = (appointmentId: string, channel: Channel) =>
  db().firstRaw<{ id: string }>(
    "SELECT id FROM message WHERE appointment_id = ? AND channel = ? AND audience = 'customer'",
    [appointmentId, channel],
  )!.id;

describe("send again", () => {
  it("sends the one that was meant, and no other", async () => {
    const [one] = confirmTwo();
    await runOutbox(world.deps);
    const before = rows();
    const sent = world.sandbox.mailbox.list({}).length;
    const id = idOf(one.id, "email");
    expect(resendMessage(world.deps, ADMIN, id)).toMatchObject({ ok: true });
    expect(rows().filter((row) => row.id !== id)).toEqual(before.filter((row) => row.id !== id));
    expect(await runOutbox(world.deps)).toBe(1);
    expect(world.sandbox.mailbox.list({})).toHaveLength(sent + 1);
  });

  it("goes to the address that the customer has now, and the captain's stays", async () => {
    const [one, two] = confirmTwo();
    change(world, one.id, { email: "new@visitors.example" });
    const ids = rows()
      .filter((row) => row.appointment_id === one.id)
      .map((row) => String(row.id));
    for (const id of ids) expect(requeueMessage(db(), id, world.now())).toBe(true);
    expect(world.messages().map(({ recipient }) => recipient)).toEqual(
      expect.arrayContaining(["new@visitors.example", "asha@captains.example", "+919876512345"]),
    );
    expect(rows().find((row) => row.id === idOf(two.id, "email"))?.recipient).toBe(
      "priya@visitors.example",
    );
  });

  it("leaves alone what is being sent at this moment", () => {
    const [one] = confirmTwo();
    const id = idOf(one.id, "email");
    const now = world.now();
    set(`lease_until = ${now + 1}, attempts = 3`);
    const before = rows();
    expect(requeueMessage(db(), id, now)).toBe(false);
    expect(rows()).toEqual(before);
    expect(requeueMessage(db(), id, now + 1)).toBe(true);
    expect(rows().filter((row) => row.attempts === 0)).toMatchObject([{ id, lease_until: null }]);
  });
});

describe("a corrected contact", () => {
  it("changes what is not sent yet, on its channel, of its appointment", () => {
    const [one, two] = confirmTwo();
    queue({ type: "reminder", appointment: one, hours: 24 });
    set("state = 'sent', next_try_at = NULL", `id = '${idOf(one.id, "email")}'`);
    const before = new Map(rows().map((row) => [row.id, row]));
    redirectCustomerMessages(db(), one.id, "email", "new@visitors.example");
    const changed = rows().filter((row) => row.recipient !== before.get(row.id)?.recipient);
    expect(changed).toMatchObject([{ kind: "reminder_24h", channel: "email" }]);
    supersedeConfirmation(db(), one.id, "email");
    supersedeConfirmation(db(), one.id, "whatsapp");
    expect(rows().filter((row) => row.state === "failed")).toMatchObject([
      { id: idOf(one.id, "whatsapp"), kind: "booking_confirmed" },
    ]);
    supersedeConfirmation(db(), two.id, "email");
    expect(rows().find((row) => row.id === idOf(two.id, "email"))?.state).toBe("failed");
  });

  it("confirms anew where the customer can be reached now, and tells the captain a new number", () => {
    const [one] = confirmTwo();
    set("state = 'sent', next_try_at = NULL");
    db().runRaw("UPDATE appointment SET phone = '+919876599999' WHERE id = ?", [one.id]);
    const appointment = { ...change(world, one.id, { status: "confirmed" }), version: 2 };
    queue({ type: "contact_corrected", appointment, changed: ["phone"] });
    const fresh = rows().filter((row) => row.state === "queued");
    expect(fresh).toMatchObject([
      { kind: "booking_confirmed", channel: "email", recipient: "priya@visitors.example" },
      { kind: "booking_confirmed", channel: "whatsapp", recipient: "+919876599999" },
      { kind: "counselor_corrected", channel: "email", recipient: "asha@captains.example" },
    ]);
  });
});

it("a channel takes its own messages, one for each recipient", () => {
  confirmTwo();
  const now = world.now();
  const take = (channel: Channel) =>
    takeDueMessages(db(), now, { channel, limit: 9, leaseUntil: now + 1 });
  expect(take("whatsapp")).toMatchObject([{ channel: "whatsapp" }]);
  expect(take("whatsapp")).toEqual([]);
  expect(take("email").map(({ recipient }) => recipient)).toEqual(
    expect.arrayContaining(["priya@visitors.example", "asha@captains.example"]),
  );
});

it("a delivery report finds a WhatsApp message whose own id it tells, and no other", () => {
  const [one, two] = confirmTwo();
  const [mail, chat] = [idOf(one.id, "email"), idOf(one.id, "whatsapp")];
  set("transport_id = 'wamid.known'", `id = '${idOf(two.id, "whatsapp")}'`);
  const find = (transportId: string, ownId: string | null) =>
    findMessageForReport(db(), transportId, ownId)?.id;
  expect(find("wamid.known", chat)).toBe(idOf(two.id, "whatsapp"));
  expect(find("wamid.new", chat)).toBe(chat);
  expect(find("wamid.new", mail)).toBeUndefined();
  expect(find("wamid.new", null)).toBeUndefined();
  expect(find("wamid.new", idOf(two.id, "whatsapp"))).toBeUndefined();
});

describe("the outbox", () => {
  const remind = (phone: string) => {
    const appointment = world.addAppointment({ contact: { ...SAMPLE_CONTACT, phone } });
    queue({ type: "reminder", appointment, hours: 1 });
    set("next_try_at = NULL, state = 'sent'", "channel = 'email'");
    return idOf(appointment.id, "whatsapp");
  };
  const attemptsOf = (id: string) => rows().find((row) => row.id === id)?.attempts;

  /** Ahead of everything that is queued, and moved by the test alone. */
  let at = 0;
  beforeEach(() => {
    at = world.now() + HOUR;
  });
  const run = () => runOutbox({ ...world.deps, now: () => at });

  it("gives a message up after three days of tries, and not before", async () => {
    const unpaid = { status: "pending_payment", window: windowUntil(1) } as const;
    queue({ type: "unpaid", appointment: world.addAppointment(unpaid) });
    world.sandbox.switches.set({ name: "smtp_451" });
    // Five growing waits, then one every quarter of an hour.
    set(`attempts = ${5 + 3 * 24 * 4 - 2}`);
    await run();
    expect(rows()).toMatchObject([{ state: "retrying" }]);
    at += HOUR;
    await run();
    expect(rows()).toMatchObject([{ state: "failed", next_try_at: null }]);
    expect(rows()[0]?.last_error).toMatch(/^Given up after 293 tries\. .*451/);
  });

  it("leaves a blocked channel alone, for longer each time, until it serves again", async () => {
    const block = (count?: number) =>
      world.sandbox.switches.set({ name: "whatsapp_error", value: 190, ...(count && { count }) });
    block();
    const tried = remind("+919876500001");
    await run();
    expect(attemptsOf(tried)).toBe(1);
    const waiting = remind("+919876500002");
    await run();
    expect(attemptsOf(waiting)).toBe(0);
    at += 1_500;
    await run();
    expect(attemptsOf(waiting)).toBe(1);
    const last = remind("+919876500003");
    at += 5_000;
    await run();
    expect(attemptsOf(last)).toBe(0);
    world.sandbox.switches.clear();
    at += 1_000;
    await run();
    expect(whatsapps().map(({ state }) => state)).toEqual(["sent", "sent", "sent"]);
    // A success begins anew: the next stop is short again.
    block(1);
    const after = remind("+919876500004");
    await run();
    at += 4_000;
    await run();
    expect(attemptsOf(after)).toBe(2);
  });

  it("marks what it sent, though the file cannot be written for a moment", async () => {
    const id = remind("+919876500001");
    // Refuses twice; what it writes of that stays.
    db().runRaw(
      `CREATE TRIGGER full BEFORE UPDATE ON message
       WHEN new.state = 'sent' AND (SELECT count(*) FROM setting WHERE key LIKE 'refused%') < 2
       BEGIN
         INSERT INTO setting SELECT 'refused' || count(*), '' FROM setting;
         SELECT raise(FAIL, 'database or disk is full');
       END`,
    );
    await run();
    expect(db().allRaw("SELECT 1 FROM setting WHERE key LIKE 'refused%'")).toHaveLength(2);
    expect(rows().find((row) => row.id === id)).toMatchObject({ state: "sent", attempts: 1 });
    expect(world.sandbox.whatsapp.messages).toHaveLength(1);
  });
});
