/** A student's name and guardian: whom a booking is for, who is asked once it is paid, and what follows a correction. */
import { expect, it } from "vitest";
import {
  confirmGuardian,
  guardianWords,
  hashOfWords,
  readGuardianPage,
} from "#app/booking/guardian.server.ts";
import { addDays, dateInIndia, HOUR, MINUTE } from "#app/model/dates.ts";
import { bookingCalendarFile, sessionTitle } from "#app/notifications/invitation.server.ts";
import { attentionView } from "#app/routes/admin/dashboard/attention-view.server.ts";
import { findGuardian } from "#db/queries/preparation.server.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { freshTill } from "#tests/support/hooks.ts";

const till = freshTill();

const KABIR = { student: { name: "Kabir Pillai", under18: true, relation: "mother" } } as object;
const AGREED = { relation: "mother", agree: "on" as const };
const guardian = (id: string) => findGuardian(till.deps.db, id)!;
const confirm = (id: string) => confirmGuardian(till.deps, guardian(id).token, AGREED);
const asked = (id: string) =>
  till.rows(
    "SELECT recipient FROM message WHERE appointment_id = ? AND kind = 'guardian_asked'",
    id,
  );
const waiting = () => till.attention().unconfirmed.map(({ id }) => id);

it("is asked by mail once it is paid, of a student under 18 alone, and kept as it was confirmed first", async () => {
  const { id } = await till.bookAndPay(KABIR);
  const other = await till.bookAndPay(KABIR);
  const unpaid = till.book(KABIR);
  const adult = await till.bookAndPay({ student: { name: "Kabir Pillai" } } as object);
  const self = await till.bookAndPay();
  expect(asked(id)).toHaveLength(1);
  for (const none of [unpaid, adult.id, self.id]) {
    expect([asked(none), guardian(none)]).toEqual([[], null]);
  }
  const refused = till.edit(self.id, { student: { name: "Kabir" } });
  const errors = { student: [expect.any(String)] };
  expect(refused).toMatchObject({ code: "validation_failed", errors });
  till.edit(self.id, { notes: "Class 1?" });
  expect(till.booking(self.id).student).toBeNull();
  const { token } = guardian(id);
  const at = till.clock.now;
  expect(confirmGuardian(till.deps, token, AGREED)).toMatchObject({ ok: true });
  till.clock.now += HOUR;
  expect(confirmGuardian(till.deps, token, { ...AGREED, relation: "uncle" }).ok).toBe(true);
  const kept = guardian(id);
  expect(kept).toMatchObject({ confirmedAt: at, relation: "mother" });
  expect(kept.words).toContain("parent or guardian of Kabir Pillai, who is under 18");
  expect(guardian(other.id).confirmedAt).toBeNull();
});

it("other words than those that were shown are not agreed to, and what was stays as it was", async () => {
  const { id } = await till.bookAndPay(KABIR);
  const { token } = guardian(id);
  const wordsNow = () => guardianWords(till.booking(id), till.deps.env);
  const shown = hashOfWords(wordsNow());
  till.changeSettings({ businessName: "Clear Skies LLP" });
  expect(confirmGuardian(till.deps, token, { ...AGREED, shown })).toMatchObject({ code: "stale" });
  expect(guardian(id).confirmedAt).toBeNull();
  const read = wordsNow();
  expect(read.join()).toContain("Clear Skies LLP");
  expect(confirmGuardian(till.deps, token, { ...AGREED, shown: hashOfWords(read) }).ok).toBe(true);
  till.changeSettings({ businessName: "Later LLP" });
  // A page that is still open answers as before.
  expect(confirmGuardian(till.deps, token, { ...AGREED, shown }).ok).toBe(true);
  expect(guardian(id).words).toBe(read.join("\n"));
  // For another name it is asked for anew.
  till.edit(id, { student: { name: "Kabeer Pillai" } });
  expect(guardian(id)).toMatchObject({ confirmedAt: null, words: null });
  expect(confirmGuardian(till.deps, token, AGREED)).toMatchObject({ code: "not_found" });
});

it("who is asked again reads why: the session was moved, or another name", async () => {
  const corrected = "because the student's name or your email address was corrected";
  const moved = "because the session has a new time";
  const said = async (id: string) => {
    const mail = till.messages(id).find(({ kind }) => kind === "guardian_asked")!;
    const composed = await till.compose(mail);
    const text = composed.kind === "mail" ? composed.mail.text.replace(/\s+/g, " ") : "";
    return [corrected, moved].filter((why) => text.includes(`We ask you again ${why}`));
  };
  const [confirmed, unconfirmed] = [await till.bookAndPay(KABIR), await till.bookAndPay(KABIR)];
  confirm(confirmed.id);
  expect(await said(confirmed.id)).toEqual([]);
  till.clock.now = till.booking(unconfirmed.id).startsAt + MINUTE;
  till.edit(confirmed.id, { student: { name: "Kabeer Pillai" } });
  for (const [index, { id }] of [confirmed, unconfirmed].entries()) {
    till.deps.db.runRaw("DELETE FROM message WHERE appointment_id = ?", [id]);
    const later = { date: dayAhead(30 + index), timeSlot: "10:00" };
    expect(till.move(id, later).ok).toBe(true);
  }
  expect(await said(unconfirmed.id)).toEqual([moved]);
  expect(await said(confirmed.id)).toEqual([corrected]);
});

it("a link not sent yet gives way to the newer one, in whichever order it is corrected and moved: one mail, “again” only to who got one", async () => {
  const due = (id: string) =>
    till
      .messages(id)
      .filter(({ kind, nextTryAt }) => kind === "guardian_asked" && nextTryAt !== null)
      .map(({ recipient, data }) => [recipient, data.again ?? false, data.moved ?? false]);
  const send = () => till.deps.db.runRaw("UPDATE message SET state = 'sent', next_try_at = NULL");
  const other = await till.bookAndPay(KABIR);
  const toOther = [[till.booking(other.id).contact.email, false, false]];
  for (const wasSent of [false, true]) {
    for (const order of ["correct move", "move correct", "correct correct"]) {
      const { id } = await till.bookAndPay(KABIR);
      if (wasSent) send();
      till.clock.now = till.booking(id).startsAt + MINUTE;
      const date = addDays(dateInIndia(till.clock.now), 5);
      for (const [index, step] of order.split(" ").entries()) {
        const email = `right${index}@example.in`;
        if (step === "correct") till.edit(id, { email });
        else expect(till.move(id, { date, timeSlot: "10:00" }).ok).toBe(true);
      }
      const { email } = till.booking(id).contact;
      expect([order, due(id)]).toEqual([order, [[email, wasSent, wasSent && /move$/.test(order)]]]);
    }
    if (!wasSent) expect(due(other.id)).toEqual(toOther);
  }
});

it("a link that is sent late goes out until the session begins where it was moved to", async () => {
  const { id } = await till.bookAndPay(KABIR);
  const { startsAt } = till.booking(id);
  till.move(id, { date: dayAhead(30), timeSlot: "10:00" });
  const mail = till.messages(id).find(({ kind }) => kind === "guardian_asked")!;
  till.clock.now = startsAt + MINUTE;
  expect(await till.compose(mail)).toMatchObject({ kind: "mail" });
  till.clock.now = till.booking(id).startsAt;
  expect(await till.compose(mail)).toMatchObject({ kind: "not_sent" });
});

it("a corrected address gets a link of its own, and the former one leads nowhere", async () => {
  const { id } = await till.bookAndPay(KABIR);
  const { token } = guardian(id);
  till.edit(id, { email: "right@example.in" });
  expect(asked(id).map(({ recipient }) => recipient)).toContain("right@example.in");
  expect(readGuardianPage(till.deps, token)).toBeNull();
  expect(confirmGuardian(till.deps, token, AGREED)).toMatchObject({ code: "not_found" });
  const now = guardian(id);
  expect(confirmGuardian(till.deps, now.token, AGREED).ok).toBe(true);
  till.edit(id, { email: "again@example.in" });
  expect(guardian(id).token).toBe(now.token);
});

it("stands under “needs you” from a day before, until it is confirmed", async () => {
  const { id } = await till.bookAndPay(KABIR);
  const { startsAt } = till.booking(id);
  till.clock.now = startsAt - 25 * HOUR;
  expect(waiting()).not.toContain(id);
  till.clock.now = startsAt - 23 * HOUR;
  expect(waiting()).toContain(id);
  const { name, phone } = till.booking(id).contact;
  const line = attentionView(till.deps, true).others.find(({ title }) => /guardian/.test(title));
  expect(line!.items[0]!.call).toEqual({ name, phone });
  confirm(id);
  expect(waiting()).not.toContain(id);
});

it("a corrected name is that booking's alone, of who stays under 18; the same one writes nothing", async () => {
  const { id } = await till.bookAndPay(KABIR);
  const other = await till.bookAndPay(KABIR);
  const { version } = till.booking(id);
  till.edit(id, { student: { name: "Kabir Pillai" } });
  expect(till.booking(id).version).toBe(version);
  till.deps.db.runRaw("DELETE FROM message");
  const { contact } = till.booking(id);
  const done = till.edit(id, { student: { name: "Kabeer Pillai" } });
  expect(done).toMatchObject({
    value: { contact, student: { name: "Kabeer Pillai", under18: true, relation: "mother" } },
  });
  expect(till.booking(other.id).student!.name).toBe("Kabir Pillai");
  const sent = till.messages(id).map(({ kind }) => kind);
  expect(sent).toEqual(expect.arrayContaining(["booking_confirmed", "counselor_corrected"]));
  expect(guardianWords(till.booking(id), till.deps.env)[0]).toContain("Kabeer Pillai");
  expect(till.logged().at(-1)).toMatchObject({
    action: "edit",
    before: { studentName: "Kabir Pillai" },
    after: { studentName: "Kabeer Pillai" },
  });
});

it("is asked of a student whose age is corrected, and no longer of one who is of age", async () => {
  const adult = { student: { name: "Kabir Pillai" } } as object;
  const [{ id }, other] = [await till.bookAndPay(adult), await till.bookAndPay(adult)];
  const unpaid = till.book(adult);
  till.deps.db.runRaw("DELETE FROM message");
  const setAge = (of: string, under18: boolean) =>
    till.edit(of, { student: { name: "Kabir Pillai", under18 } });
  setAge(id, true);
  setAge(unpaid, true);
  expect(till.messages(id).map(({ kind }) => kind)).toEqual(["guardian_asked"]);
  expect([asked(other.id), guardian(other.id), guardian(unpaid)]).toEqual([[], null, null]);
  till.pay(await till.order(unpaid));
  await till.look();
  expect(asked(unpaid)).toHaveLength(1);
  expect(till.logged().filter(({ action }) => action === "edit")).toMatchObject([
    { before: { under18: false }, after: { under18: true } },
    { before: { under18: false }, after: { under18: true } },
  ]);

  // A name alone, as a program sends it, leaves the age.
  till.edit(unpaid, { student: { name: "Kabeer Pillai" } });
  expect(till.booking(unpaid).student!.under18).toBe(true);
  const { token } = guardian(id);
  const mail = till.messages(id).find(({ kind }) => kind === "guardian_asked")!;
  setAge(id, false);
  expect(readGuardianPage(till.deps, token)).toBeNull();
  expect(await till.compose(mail)).toMatchObject({ kind: "not_sent" });
  till.clock.now = till.booking(id).startsAt - HOUR;
  expect(waiting()).not.toContain(id);

  confirm(unpaid);
  const agreed = guardian(unpaid);
  till.edit(unpaid, { student: { name: "Kabeer Pillai", under18: false } });
  expect(guardian(unpaid)).toEqual(agreed);
  // What was agreed to for another name goes, and nobody is asked for one who is of age.
  const before = asked(unpaid);
  till.edit(unpaid, { student: { name: "Kabir Pillai" } });
  expect([guardian(unpaid), asked(unpaid)]).toEqual([null, before]);
  setAge(unpaid, true);
  confirm(unpaid);
  till.edit(unpaid, { student: { name: "Kabeer Pillai", under18: false } });
  expect(guardian(unpaid)).toBeNull();
});

it("stands in the customer's calendar once it is paid, and in no address of a calendar", async () => {
  const { id } = await till.bookAndPay(KABIR);
  const self = await till.bookAndPay();
  const unpaid = till.book(KABIR);
  const { env, now } = till.deps;
  const summary = (of: string) => {
    const file = bookingCalendarFile(env, till.booking(of), now()).replaceAll("\r\n ", "");
    return /^SUMMARY:(.*)$/m.exec(file)![1]!.trim();
  };
  expect(summary(id)).toMatch(/session with Capt\. Asha Sample\\, for Kabir Pillai$/);
  for (const of of [self.id, unpaid]) expect(summary(of)).toMatch(/Capt\. Asha Sample$/);
  expect(sessionTitle(env, till.booking(id))).not.toContain("Kabir");
});
