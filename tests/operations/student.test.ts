/** A student's name is corrected as the contact is: whoever has it is notified, and what depends on it follows. */
import { expect, it } from "vitest";
import { guardianWords } from "#app/booking/guardian.server.ts";
import { bookingCalendarFile, sessionTitle } from "#app/notifications/invitation.server.ts";
import { freshTill } from "#tests/support/hooks.ts";

const till = freshTill();

const KABIR = { student: { name: "Kabir Pillai", under18: true, relation: "mother" } } as object;
const kinds = (id: string) =>
  till.rows("SELECT kind FROM message WHERE appointment_id = ?", id).map(({ kind }) => kind);

it("changes that booking's student alone, who stays under 18 and a child of who booked", async () => {
  const { id } = await till.bookAndPay(KABIR);
  const other = await till.bookAndPay(KABIR);
  const before = kinds(id);
  const { contact } = till.booking(id);
  const done = till.edit(id, { student: { name: "Kabeer Pillai" } });
  expect(done).toMatchObject({
    value: {
      contact,
      student: { name: "Kabeer Pillai", under18: true, relation: "mother" },
    },
  });
  expect(till.booking(other.id).student!.name).toBe("Kabir Pillai");
  const sent = kinds(id).slice(before.length);
  expect(sent).toEqual(expect.arrayContaining(["booking_confirmed", "counselor_corrected"]));
  expect(guardianWords(till.booking(id), till.deps.env)[0]).toContain("Kabeer Pillai");
  expect(till.logged().at(-1)).toMatchObject({
    ...{ action: "edit", before: { studentName: "Kabir Pillai" } },
    after: { studentName: "Kabeer Pillai" },
  });
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

it("the same name writes nothing, and a booking without a student gets none", async () => {
  const { id } = await till.bookAndPay(KABIR);
  const self = await till.bookAndPay();
  const { version } = till.booking(id);
  till.edit(id, { student: { name: "Kabir Pillai" } });
  expect(till.booking(id).version).toBe(version);
  const refused = till.edit(self.id, { student: { name: "Kabir" } });
  expect(refused).toMatchObject({
    code: "validation_failed",
    errors: { student: [expect.any(String)] },
  });
  till.edit(self.id, { notes: "Class 1?" });
  expect(till.booking(self.id).student).toBeNull();
});
