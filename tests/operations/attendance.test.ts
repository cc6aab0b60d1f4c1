/** Attendance, and the staff note: facts beside the status, which move no money and notify nobody. */
import { describe, expect, it } from "vitest";
import { editContactFormSchema } from "#app/booking/change-fields.ts";
import { MOST_COUNTED, readOwnSessions } from "#app/booking/dashboard.server.ts";
import { addDays, DAY, dateInIndia } from "#app/model/dates.ts";
import { tablesWith } from "#tests/support/all-rows.ts";
import { freshTill } from "#tests/support/hooks.ts";
import { addRow } from "#tests/support/stored-rows.ts";

const till = freshTill();

const of = (id: string) => till.booking(id);
const note = (id: string, attendance: "completed" | "no_show" | null, version?: number) =>
  till.noteAttendance(id, { attendance, version });

/** Paid, and the clock at its start. */
async function begun(): Promise<string> {
  const { id } = await till.bookAndPay();
  till.clock.now = of(id).startsAt;
  return id;
}

/** All that moves money or notifies somebody. */
const moneyAndMessages = () => [
  ...["message", "refund", "payment", "payment_order", "document"].map((table) =>
    till.rows(`SELECT * FROM ${table} ORDER BY rowid`),
  ),
  till.rows("SELECT id, status, kept_paise, calendar_sequence FROM appointment ORDER BY seq"),
];

const entries = (action: string) =>
  till
    .rows('SELECT target, "before", "after" FROM activity WHERE action = ? ORDER BY id', action)
    .map(({ target, before, after }) => [target, JSON.parse(before), JSON.parse(after)]);

describe("attendance", () => {
  it("is noted from the start on, changed and taken back, each once with before and after, none unseen; it moves no money and notifies nobody", async () => {
    const { id } = await till.bookAndPay();
    const before = moneyAndMessages();
    till.clock.now = of(id).startsAt - 1;
    expect(note(id, "completed")).toMatchObject({ code: "too_early" });
    till.clock.now += 1;
    const { version } = of(id);
    expect(note(id, "completed", version)).toMatchObject({ value: { attendance: "completed" } });
    expect(note(id, "completed", version)).toMatchObject({ value: { version: version + 1 } });
    expect(note(id, "no_show", version)).toMatchObject({ code: "stale" });
    expect(of(id).attendance).toBe("completed");
    expect(note(id, "no_show")).toMatchObject({ value: { attendance: "no_show" } });
    expect(note(id, null)).toMatchObject({ value: { attendance: null, status: "confirmed" } });
    const [none, completed, noShow] = [null, "completed", "no_show"].map((attendance) => ({
      attendance,
    }));
    expect(entries("attendance")).toEqual([
      [id, none, completed],
      [id, completed, noShow],
      [id, noShow, none],
    ]);
    expect(moneyAndMessages()).toEqual(before);
  });

  it("is refused of what is unknown, unpaid or cancelled, and nothing is written", async () => {
    const unpaid = till.book();
    const { id: cancelled } = await till.bookAndPay();
    till.cancel(cancelled);
    till.clock.now += 60 * DAY;
    const before = till.rows("SELECT * FROM appointment");
    expect(note("nobody", "completed")).toMatchObject({ code: "not_found" });
    expect(note(unpaid, "completed")).toMatchObject({ code: "too_early" });
    expect(note(cancelled, null)).toMatchObject({ code: "already_cancelled" });
    expect(till.rows("SELECT * FROM appointment")).toEqual(before);
  });

  it("goes with the time when the session is moved or cancelled, whichever comes first", async () => {
    const id = await begun();
    note(id, "no_show");
    const date = addDays(dateInIndia(till.clock.now), 3);
    const moved = till.move(id, { date, timeSlot: "11:00" });
    expect(moved).toMatchObject({ value: { attendance: null, status: "rescheduled" } });
    // A click by somebody who still sees the session as it was.
    expect(note(id, "completed")).toMatchObject({ code: "too_early" });
    till.clock.now = of(id).startsAt;
    expect(note(id, "completed").ok).toBe(true);
    till.cancel(id);
    expect(of(id)).toMatchObject({ status: "cancelled", attendance: null });
    expect(note(id, "completed")).toMatchObject({ code: "already_cancelled" });
  });
});

it("sessions without attendance are counted to a limit, with the last few, and of a captain the last fifty", () => {
  // Ten more than are counted.
  for (let n = 0; n < MOST_COUNTED + 10; n++) addRow(till.deps.db, "appointment", `a${n}`);
  const { total, newest } = till.attention().withoutAttendance;
  expect([total, newest.length]).toEqual([MOST_COUNTED + 1, 3]);
  expect(readOwnSessions(till.deps, "asha").withoutAttendance).toHaveLength(50);
  expect(readOwnSessions(till.deps, "rohan").withoutAttendance).toEqual([]);
});

describe("a staff note", () => {
  const write = (id: string, staffNote: string, more = {}) => till.edit(id, { staffNote, ...more });

  it("is kept with what it was before, and nobody is notified of it, also beside a correction", async () => {
    const { id } = await till.bookAndPay();
    const before = moneyAndMessages();
    expect(write(id, "Mornings")).toMatchObject({ value: { staffNote: "Mornings" } });
    write(id, "Mornings");
    write(id, "");
    expect(of(id).staffNote).toBeNull();
    expect(entries("staff_note_edit")).toEqual([
      [id, { staffNote: null }, { staffNote: "Mornings" }],
      [id, { staffNote: "Mornings" }, { staffNote: null }],
    ]);
    expect(entries("edit")).toEqual([]);
    expect(moneyAndMessages()).toEqual(before);
    write(id, "Mornings", { name: "Meera P. Nair" });
    expect(of(id)).toMatchObject({ staffNote: "Mornings", contact: { name: "Meera P. Nair" } });
    expect(entries("edit")).toEqual([[id, { name: "Meera Pillai" }, { name: "Meera P. Nair" }]]);
    expect(till.messages(id).map(({ kind }) => kind)).toContain("counselor_corrected");
    expect(JSON.stringify(till.rows("SELECT * FROM message"))).not.toContain("Mornings");
    till.edit(id, { name: "Meera Nair" });
    expect(of(id).staffNote).toBe("Mornings");
  });

  it("and a question whose lines alone end otherwise are the same", async () => {
    const { id } = await till.bookAndPay();
    const stored = "UPDATE appointment SET notes = ?, staff_note = ? WHERE id = ? RETURNING 1";
    till.rows(stored, "Class 12?\r\nGlasses?", "Rang\r\ntwice", id);
    const { contact, version } = of(id);
    const before = moneyAndMessages();
    const { email, phone } = contact;
    const typed = { email, phone, notes: "Class 12?\nGlasses?", version: String(version) };
    const send = (changes: object) => {
      const form = { ...typed, name: contact.name, staffNote: "Rang\ntwice", ...changes };
      return till.edit(id, editContactFormSchema.parse(form));
    };
    expect(send({})).toMatchObject({ value: { version } });
    expect(send({ notes: "Class 12?\r\nGlasses?" })).toMatchObject({ value: { version } });
    expect([entries("edit"), entries("staff_note_edit")]).toEqual([[], []]);
    expect(moneyAndMessages()).toEqual(before);
    send({ email: "right@example.in" });
    expect(entries("edit")).toEqual([[id, { email }, { email: "right@example.in" }]]);
    expect(JSON.stringify(till.rows("SELECT kind FROM message"))).not.toContain("corrected");
  });

  const everywhere = () => tablesWith(till.deps.db, "QQnoteQQ");

  it("is erased with its appointment, also from the log, and with the person of one never paid", async () => {
    const { id } = await till.bookAndPay();
    const [kept, none] = [["appointment", "activity"], []];
    write(id, "QQnoteQQ");
    expect(everywhere()).toEqual(kept);
    till.delete(id);
    expect(everywhere()).toEqual(none);
    write(till.book(), "QQnoteQQ");
    expect(everywhere()).toEqual(kept);
    till.clock.now += 200 * DAY;
    await till.sweep();
    expect(everywhere()).toEqual(none);
  });
});
