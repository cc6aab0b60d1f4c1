/** Cancelled, then deleted or erased: who is concerned is notified, and then nothing is left of them. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { mailBookingLinks } from "#app/booking/find-booking.server.ts";
import { GIVE_UP_AFTER } from "#app/core/backoff.ts";
import type { OutgoingMail, SendResult } from "#app/core/services.ts";
import { eraseCustomer } from "#app/customers/customers.server.ts";
import { DAY, MINUTE } from "#app/model/dates.ts";
import { runOutbox } from "#app/notifications/outbox.server.ts";
import { attentionView } from "#app/routes/admin/dashboard/attention-view.server.ts";
import { makeBackup } from "#db/backup.server.ts";
import { openDb } from "#db/connection.server.ts";
import { findCustomerId } from "#db/queries/customers.server.ts";
import { restoreBackup } from "#db/restore.server.ts";
import { tablesWith } from "#tests/support/all-rows.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { freshTill, scratchFolder } from "#tests/support/hooks.ts";
import { quickCopies } from "#tests/support/quick-threads.ts";
import { BROKEN, refused } from "#tests/support/razorpay-stub.ts";
import { addRow } from "#tests/support/stored-rows.ts";
import { ADMIN_ACTOR } from "#tests/support/till.ts";

const PERSON = {
  name: "Zyqua Xobvuk",
  email: "zyqua@example.in",
  phone: "9811177733",
  notes: "Can a jwqzk fly?",
};
const SAID = ["Xobvuk", PERSON.email, "9811177733", "jwqzk"];
const OLD = "zyqa@example.in";
const CAPTAIN = "asha@captains.example";
const OWNER = "owner@captains.example";

quickCopies();
const scratch = scratchFolder();
const till = freshTill({ env: { BUSINESS_EMAIL: OWNER } });
let sent: OutgoingMail[];
let answer: SendResult;
beforeEach(() => {
  till.deps.db.runRaw("UPDATE counselor SET email = ? WHERE key = 'asha'", [CAPTAIN]);
  sent = [];
  answer = { outcome: "sent", transportId: "t" };
  const send = async (mail: OutgoingMail) => {
    if (answer.outcome === "sent") sent.push(mail);
    return answer;
  };
  till.deps.senders = { mail: { send, close: () => {} }, whatsapp: null };
  till.deps.documents.renderDocument = async () => Buffer.from("%PDF");
});

/** What was sent to whom since the last look. */
async function mails(): Promise<[address: string, subject: string][]> {
  await runOutbox(till.deps);
  return sent
    .splice(0)
    .map(({ to, subject }): [string, string] => [to.address, subject])
    .toSorted();
}

const left = () => till.rows("SELECT * FROM message WHERE audience <> 'admin'");

/** What of the person stands in any column, but in the ledger. */
const found = () =>
  SAID.filter((word) =>
    tablesWith(till.deps.db, word).some((table) => !table.startsWith("document")),
  );

async function paid(): Promise<string> {
  const { id } = await till.bookAndPay(PERSON);
  await mails();
  return id;
}

const paidInCash = () => till.bookByStaff(PERSON).id;

const cancel = (id: string) => till.cancel(id, { reason: "Fog" });
const erase = () =>
  eraseCustomer(till.deps, ADMIN_ACTOR, findCustomerId(till.deps.db, PERSON.email)!);

const DELETE_OR_ERASE = [
  ["deleted", (id: string) => till.delete(id)],
  ["erased", () => erase()],
] as const;

describe.each(DELETE_OR_ERASE)("cancelled, then %s", (_, empty) => {
  it("the customer and the captain are notified, and then nothing is left", async () => {
    const id = await paid();
    cancel(id);
    expect(empty(id)).toMatchObject({ ok: true });
    await runOutbox(till.deps);
    const [toCaptain, toCustomer, ...others] = sent.toSorted((one, other) =>
      one.to.address.localeCompare(other.to.address),
    );
    expect(others).toEqual([]);
    expect(toCustomer!.to).toEqual({ name: PERSON.name, address: PERSON.email });
    expect(toCustomer!.subject).toContain("Cancelled: ");
    expect(toCustomer!.text).toMatch(/Hello Zyqua Xobvuk.*Reason: Fog.*₹1,179/s);
    expect(toCustomer!.text).not.toContain(id);
    expect(toCaptain!.to.address).toBe(CAPTAIN);
    expect(toCaptain!.text).toContain("The session with Zyqua Xobvuk on");
    for (const mail of [toCaptain, toCustomer]) expect(mail!.calendar?.method).toBe("CANCEL");
    expect([left(), found()]).toEqual([[], []]);
  });

  it("also when the first tries fail; given up, nothing is left either", async () => {
    const id = await paid();
    cancel(id);
    answer = { outcome: "retry", code: "x", error: `550 <${PERSON.email}> no such user` };
    await runOutbox(till.deps);
    empty(id);
    till.clock.now += DAY;
    await runOutbox(till.deps);
    expect([left().length, sent]).toEqual([2, []]);
    till.deps.db.runRaw("UPDATE message SET attempts = ?", [GIVE_UP_AFTER - 1]);
    till.clock.now += DAY;
    await runOutbox(till.deps);
    expect([left(), found()]).toEqual([[], []]);
  });
});

describe.each(DELETE_OR_ERASE)("%s", (_, empty) => {
  it("nothing is sent that is no longer so: no confirmation, no move, no reminder", async () => {
    const { id } = await till.bookAndPay(PERSON);
    till.move(id, { date: dayAhead(9), timeSlot: "14:00" });
    till.clock.now += 20 * DAY;
    expect(empty(id)).toMatchObject({ ok: true });
    expect(await mails()).toEqual([]);
    expect([left(), found()]).toEqual([[], []]);
  });

  it("links mailed to an address that was corrected since go too", async () => {
    const { id } = await till.bookAndPay({ ...PERSON, email: OLD });
    await mailBookingLinks(till.deps, { email: OLD }, "192.0.2.1");
    await mails();
    expect(left().map(({ kind }) => kind)).toContain("booking_links");
    till.edit(id, { email: PERSON.email });
    cancel(id);
    await mails();
    expect(empty(id)).toMatchObject({ ok: true });
    expect(left()).toEqual([]);
  });

  it("a second payment on its way back is mailed, and of the session only what is true", async () => {
    const { id, orderId } = await till.bookAndPay(PERSON);
    await mails();
    till.pay(orderId);
    await till.look();
    // Erasing asks for it.
    if (empty !== DELETE_OR_ERASE[0][1]) cancel(id);
    empty(id);
    await runOutbox(till.deps);
    const mail = sent.find(({ text }) => text.includes("second payment"));
    expect(mail?.text).toContain("your second payment of");
    expect(mail?.text).toContain("Your booking is cancelled.");
    expect(found()).toEqual([]);
  });
});

it("a mail about a deleted booking goes out though its person is erased after that", async () => {
  const id = await paid();
  till.book({ ...PERSON, date: dayAhead(30) });
  cancel(id);
  till.delete(id);
  till.clock.now += DAY;
  expect(erase()).toMatchObject({ ok: true });
  expect((await mails()).map(([address]) => address)).toEqual([CAPTAIN, PERSON.email]);
  expect(found()).toEqual([]);
});

it("an older copy that is put back mails nobody who was erased since", async () => {
  cancel(await paid());
  const copy = async (name: string) => {
    const made = { folder: join(scratch, name), keep: 1, now: till.clock.now };
    return (await makeBackup(till.deps.db, made)).path;
  };
  const before = await copy("before");
  erase();
  await mails();
  const target = join(scratch, "target.db");
  copyFileSync(await copy("now"), target);
  await restoreBackup(before, target, till.clock.now);
  const db = openDb(target);
  expect(SAID.filter((word) => tablesWith(db, word).includes("message"))).toEqual([]);
  expect(db.allRaw("SELECT 1 FROM message WHERE audience <> 'admin'")).toEqual([]);
  db.close();
});

describe("money that a person must pay back", () => {
  const needsYou = () => attentionView(till.deps, true).money.flatMap(({ items }) => items);

  it("stays under needs you and is mailed, without the person, when its booking is deleted", async () => {
    const id = paidInCash();
    await mails();
    cancel(id);
    till.delete(id);
    const [refund] = till.rows("SELECT id FROM refund");
    const text = "Pay back by hand: ₹1,179.00 of a deleted booking";
    expect(needsYou()).toEqual([
      { key: refund.id, text, to: `/admin/refunds/${refund.id}/settle` },
    ]);
    const subject = expect.stringContaining("pay back by hand: ₹1,179");
    expect(await mails()).toContainEqual([OWNER, subject]);
    expect(found()).toEqual([]);
    expect(await till.settle(refund.id)).toMatchObject({ ok: true });
    expect([needsYou(), await mails()]).toEqual([[], []]);
  });

  it("outside keeps a customer from being erased until it is marked as paid back", async () => {
    cancel(paidInCash());
    const [refund] = till.rows("SELECT id FROM refund");
    const message = expect.stringMatching(/^₹1,179 .*paid back/);
    expect(erase()).toMatchObject({ ok: false, code: "in_use", message });
    await till.settle(refund.id);
    expect(erase()).toMatchObject({ ok: true });
  });

  it.each([
    ["cannot be reached", BROKEN],
    ["refused it", refused("The payment is too old")],
  ])(
    "keeps a customer too while the provider %s, and not while it is under way there",
    async (_, answers) => {
      cancel(await paid());
      till.razorpay.instead = (call) =>
        call.startsWith("POST /v1/payments") ? answers : undefined;
      await till.sendRefunds();
      expect(erase()).toMatchObject({ ok: false, code: "in_use" });
      till.razorpay.instead = () => undefined;
      till.clock.now += MINUTE;
      till.deps.db.runRaw("UPDATE refund SET state = 'wanted', next_try_at = 1");
      await till.sendRefunds();
      expect(erase()).toMatchObject({ ok: true });
    },
  );
});

it("the owner reads that more messages failed than are read", async () => {
  const { id } = await till.bookAndPay();
  const failed = { appointment_id: id, state: "failed", created_at: till.clock.now };
  for (let i = 0; i < 51; i++) addRow(till.deps.db, "message", `m${i}`, failed);
  const titles = attentionView(till.deps, true).others.map(({ title }) => title);
  expect(titles).toContain("50 or more messages were not sent");
});
