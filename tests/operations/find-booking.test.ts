/** Bookings found by phone: the links go to each booking's own address, however often one asks. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { mailBookingLinks } from "#app/booking/find-booking.server.ts";
import { DAY, HOUR, MINUTE } from "#app/model/dates.ts";
import { freshTill } from "#tests/support/hooks.ts";

const till = freshTill({ env: { RATE_LIMIT: "on" } });

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout"] }));
afterEach(() => void vi.useRealTimers());

const PHONE = "98450 12345";
/** Its answer is held back for a while, which nobody waits for here. */
function ask(asked: { email?: string; phone?: string }) {
  const answered = mailBookingLinks(till.deps, asked, "192.0.2.1");
  vi.runOnlyPendingTimers();
  return answered;
}

/** Since the last look: each recipient with the bookings whose links it gets. */
function mailed(): Record<string, string[]> {
  const rows = till.queued("booking_links");
  till.rows("DELETE FROM message WHERE kind = 'booking_links' RETURNING 1");
  return Object.fromEntries(
    rows.map(({ recipient, data }) => [recipient, data.appointmentIds.sort()]),
  );
}

const bookedBy = (email: string, phone = PHONE) => till.book({ email, phone });

describe("bookings found by phone", () => {
  it("are mailed to the address of each, however the number is written, and no stranger's", async () => {
    const meera = [bookedBy("meera@example.in"), bookedBy("Meera@example.in")];
    const father = bookedBy("father@example.in");
    bookedBy("stranger@example.in", "98450 12346");
    bookedBy("abroad@example.in", "+44 20 7946 0958");
    expect(await ask({ phone: "+91-98450-12345" })).toBeNull();
    const found = mailed();
    expect(
      Object.keys(found)
        .map((one) => one.toLowerCase())
        .sort(),
    ).toEqual([...["father@example.in", "meera@example.in"]]);
    expect(Object.values(found).flat().sort()).toEqual([...meera, father].sort());
    expect(found["father@example.in"]).toEqual([father]);
  });

  it("are found also where a number of no known plan is stored as it was typed", async () => {
    const old = bookedBy("meera@example.in", "12345 67890");
    const now = bookedBy("father@example.in", "12345 67890");
    const raw = "UPDATE appointment SET phone = '12345 67890' WHERE id = ?";
    till.deps.db.runRaw(raw, [old]);
    await ask({ phone: "12345 67890" });
    expect(mailed()).toEqual({ "meera@example.in": [old], "father@example.in": [now] });
    till.edit(old, { notes: "Medical", phone: "12345 67890" });
    expect(till.booking(old).contact).toMatchObject({ phone: "12345 67890", notes: "Medical" });
  });

  it("are mailed once a minute and three times a day for a number, and the answer is the same", async () => {
    bookedBy("meera@example.in");
    const got: number[] = [];
    for (const wait of [0, MINUTE - 1, 1, MINUTE, MINUTE, DAY]) {
      till.clock.now += wait;
      expect(await ask({ phone: PHONE })).toBeNull();
      got.push(Object.keys(mailed()).length);
    }
    expect(got).toEqual([1, 0, 1, 1, 0, 1]);
  });

  it("one ask reaches three addresses, and one address not twice", async () => {
    const emails = ["a", "b", "c", "d", "e"].map((one) => `${one}@example.in`);
    for (const email of emails) {
      bookedBy(email);
      till.clock.now += HOUR;
    }
    await ask({ email: "e@example.in", phone: PHONE });
    expect(Object.keys(mailed()).sort()).toEqual(emails.slice(2));
  });

  it("one mail holds fifty links at most", async () => {
    till.deps.env = { ...till.deps.env, rateLimit: false };
    for (let i = 0; i < 51; i++) bookedBy("meera@example.in");
    await ask({ email: "meera@example.in" });
    expect(mailed()["meera@example.in"]).toHaveLength(50);
  });

  it("an unknown number gets the same answer and no mail, and wakes no mailer", async () => {
    const before = till.wakes();
    expect(await ask({ phone: "98450 99999" })).toBeNull();
    expect([mailed(), till.wakes()]).toEqual([{}, before]);
    bookedBy("meera@example.in");
    await ask({ phone: PHONE });
    expect(till.wakes()).toBe(before + 1);
  });
});
