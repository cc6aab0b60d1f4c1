/** Changes that come before the message about the one before has left: what their recipients read. */
import { expect, it } from "vitest";
import { formatSession } from "#app/model/dates.ts";
import { resendMessage } from "#app/notifications/queue.server.ts";
import { ASHA as CAPTAIN, ROHAN } from "#tests/support/bookings.ts";
import { freshTill } from "#tests/support/hooks.ts";
import { ADMIN_ACTOR, setCaptain } from "#tests/support/till.ts";

const till = freshTill();

const ASHA = "asha@captains.example";

/** A paid booking of which everybody was told. */
async function told() {
  till.deps.documents.renderDocument = async () => Buffer.from("%PDF");
  const { id } = await till.bookAndPay();
  till.deps.db.runRaw("UPDATE message SET state = 'sent', sent_at = 1, next_try_at = NULL");
  const { date, timeSlot, contact } = till.booking(id);
  return { id, date, timeSlot, customer: contact.email, was: formatSession(date, timeSlot) };
}

/** The mails that would leave now, by their recipient. */
async function leaving(id: string): Promise<Record<string, string>> {
  const mails: Record<string, string> = {};
  for (const message of till.messages(id).filter(({ nextTryAt }) => nextTryAt !== null)) {
    const made = await till.compose(message);
    if (made.kind === "mail") {
      mails[message.recipient] =
        `${mails[message.recipient] ?? ""}${made.mail.subject} ${made.mail.text}`.replace(
          /\s+/g,
          " ",
        );
    }
  }
  return mails;
}

it("a cancellation names the time that they know beside the one that they were not told of", async () => {
  const { id, date, customer, was } = await told();
  till.move(id, { date, timeSlot: "16:00" });
  till.cancel(id);
  const mails = await leaving(id);
  const on = `on ${formatSession(date, "16:00")} (moved from ${was})`;
  expect(mails[customer]).toContain(on);
  expect(mails[ASHA]).toContain(on);
});

it("a second move tells from where they know it, also with another captain and back", async () => {
  const { id, date, timeSlot, customer, was } = await told();
  till.move(id, { date, timeSlot: "16:00" });
  till.move(id, { date, timeSlot: "17:00" });
  const at = (time: string) => formatSession(date, time);
  expect((await leaving(id))[customer]).toContain(`of ${was} is now on ${at("17:00")}.`);
  expect((await leaving(id))[ASHA]).toContain(`of ${was} is now on ${at("17:00")}.`);
  till.move(id, { date, timeSlot: "17:00", counselor: ROHAN });
  expect((await leaving(id))[ASHA]).toContain(`on ${was} is no longer yours.`);
  till.move(id, { date, timeSlot: "18:00" });
  const handed = await leaving(id);
  expect(handed[customer]).toContain(`of ${was} is now on ${at("18:00")}, with ${ROHAN}.`);
  expect(handed["rohan@captains.example"]).toMatch(/^New session: (?!.*has moved)/);
  till.move(id, { date, timeSlot });
  expect((await leaving(id))[customer]).toContain(`on ${was} is now with ${ROHAN}.`);
});

it("a hand-over back to the time that they know is told from there", async () => {
  const { id, date, timeSlot, customer, was } = await told();
  till.move(id, { date, timeSlot: "16:00" });
  till.move(id, { date, timeSlot, counselor: ROHAN });
  const mails = await leaving(id);
  expect(mails[ASHA]).toContain(`on ${was} is no longer yours.`);
  expect(mails[customer]).toContain(`on ${was} is now with ${ROHAN}.`);
});

it("another captain's session that comes back was never away, and the other one was never told", async () => {
  const { id, date, timeSlot, customer, was } = await told();
  const { counselor } = till.booking(id);
  const at = formatSession(date, "17:00");
  till.move(id, { date, timeSlot: "16:00", counselor: ROHAN });
  till.move(id, { date, timeSlot: "17:00", counselor });
  const moved = await leaving(id);
  expect(moved[ASHA]).toContain(`of ${was} is now on ${at}.`);
  expect(moved[ASHA]).not.toContain("no longer yours");
  expect(moved["rohan@captains.example"]).toBeUndefined();
  till.edit(id, { phone: "98450 11111" });
  till.move(id, { date, timeSlot, counselor: ROHAN });
  till.move(id, { date, timeSlot, counselor });
  const back = await leaving(id);
  expect(back[ASHA]).toContain(`stays on ${was}.`);
  expect(back[ASHA]).toContain("98450 11111");
  expect(back[customer]).toContain(`your session stays on ${was}.`);
  till.move(id, { date, timeSlot, counselor: ROHAN });
  expect((await leaving(id))[ASHA]).toContain(`on ${was} is no longer yours.`);
});

it("back to the time that they know, and on from there, names no time between", async () => {
  const { id, date, timeSlot, customer, was } = await told();
  till.move(id, { date, timeSlot: "16:00" });
  till.move(id, { date, timeSlot });
  expect((await leaving(id))[ASHA]).toMatch(/^Stays on .* stays on (?!.*is free again)/);
  till.move(id, { date, timeSlot: "17:00" });
  const mails = await leaving(id);
  for (const to of [customer, ASHA]) expect(mails[to]).toContain(`of ${was} is now on`);
  till.cancel(id);
  expect((await leaving(id))[ASHA]).toContain(`(moved from ${was})`);
});

it("a captain whose first mail waits is told of the session, not that it was passed on", async () => {
  till.deps.documents.renderDocument = async () => Buffer.from("%PDF");
  const { id } = await till.bookAndPay();
  const { date, timeSlot, counselor } = till.booking(id);
  till.move(id, { date, timeSlot, counselor: ROHAN });
  till.move(id, { date, timeSlot, counselor });
  expect((await leaving(id))[ASHA]).toMatch(/^New session: (?!.*no longer yours)/);
});

it("what was sent and is sent again counts as told", async () => {
  const { id, date, timeSlot } = await told();
  till.move(id, { date, timeSlot, counselor: ROHAN });
  till.deps.db.runRaw("UPDATE message SET state = 'sent', sent_at = 1, next_try_at = NULL");
  const [given] = till.messages(id).filter(({ recipient, kind }) => {
    return kind === "counselor_new" && recipient === "rohan@captains.example";
  });
  expect(resendMessage(till.deps, ADMIN_ACTOR, given!.id).ok).toBe(true);
  till.move(id, { date, timeSlot, counselor: CAPTAIN });
  expect((await leaving(id))["rohan@captains.example"]).toContain("is no longer yours.");
});

it("who books with a captain's own address is told as customer and as captain", async () => {
  till.deps.documents.renderDocument = async () => Buffer.from("%PDF");
  const { id } = await till.bookAndPay({ email: ASHA });
  till.deps.db.runRaw("UPDATE message SET state = 'sent', sent_at = 1, next_try_at = NULL");
  const { date } = till.booking(id);
  till.move(id, { date, timeSlot: "16:00" });
  till.move(id, { date, timeSlot: "17:00" });
  const waiting = till.messages(id).filter(({ nextTryAt }) => nextTryAt !== null);
  expect(waiting.map(({ kind, data }) => [kind, data.previousTimeSlot]).sort()).toEqual([
    ["booking_rescheduled", "10:00"],
    ["counselor_moved", "10:00"],
  ]);
});

it("what is being sent counts as told", async () => {
  const { id, date, customer } = await told();
  till.move(id, { date, timeSlot: "16:00" });
  till.deps.db.runRaw("UPDATE message SET lease_until = ? WHERE next_try_at > 0", [
    till.clock.now + 1,
  ]);
  till.move(id, { date, timeSlot: "17:00" });
  expect((await leaving(id))[customer]).toContain(`of ${formatSession(date, "16:00")} is now on`);
});

it("a correction says nothing of the time, which may change before it leaves", async () => {
  const { id, date } = await told();
  till.edit(id, { notes: "Which licence first?" });
  till.move(id, { date, timeSlot: "16:00" });
  const mail = (await leaving(id))[ASHA]!;
  expect(mail).toContain("Details corrected");
  expect(mail).not.toContain("stay as they are");
});

it("a corrected address gets what is made while it is corrected, and the wrong one nothing", async () => {
  const { id } = await till.bookAndPay();
  const [confirmed] = till.messages(id).filter(({ kind }) => kind === "booking_confirmed");
  const { documents } = till.deps;
  till.deps.documents = {
    ...documents,
    renderDocument: async () => {
      till.edit(id, { email: "right@example.in" });
      return Buffer.from("%PDF");
    },
  };
  expect(await till.compose(confirmed!)).toMatchObject({ kind: "not_sent" });
  till.deps.documents = documents;
});

it("a captain's new address gets what waits for the former one, and no other captain's mails", async () => {
  const { id: given, date, timeSlot } = await told();
  const { id } = await till.bookAndPay();
  const { id: other } = await till.bookAndPay({ counselor: ROHAN });
  till.move(given, { date, timeSlot, counselor: ROHAN });
  till.deps.db.runRaw("UPDATE message SET recipient = ? WHERE audience = 'counselor'", [ASHA]);
  setCaptain(till.deps, "asha", { email: "new@captains.example" });
  const to = (booking: string) =>
    till.messages(booking).flatMap(({ kind, nextTryAt, recipient }) => {
      return kind.startsWith("counselor_") && nextTryAt ? [`${kind} ${recipient}`] : [];
    });
  const NEW = "new@captains.example";
  expect([id, other, given].map(to)).toEqual([
    [`counselor_new ${NEW}`],
    [`counselor_new ${ASHA}`],
    [`counselor_cancelled ${NEW}`, `counselor_new ${ASHA}`],
  ]);
});
