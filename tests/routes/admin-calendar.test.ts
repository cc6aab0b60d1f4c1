/** The calendar's call: what it says of a day, and what it refuses. */
import { describe, expect, it } from "vitest";
import { instantOf } from "#app/model/dates.ts";
import { book, bookConfirmed } from "#tests/support/admin.ts";
import { ASHA, dayAhead } from "#tests/support/bookings.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp();
const admin = sharedAdmin(app);

interface Shown {
  date: string;
  counselors: {
    name: string;
    offered: string[];
    leave: { reason: string | null } | null;
    sessions: { id: string }[];
  }[];
}

const ask = (query: Record<string, string>) => admin(`/calendar?${new URLSearchParams(query)}`);
const dayOf = async (date: string, counselor = ASHA) =>
  (await ask({ from: date, to: date, counselor })).data.days[0].counselors[0];
const offered = async (date: string, counselor = ASHA) => {
  const query = new URLSearchParams({ counselor, date });
  return (await app.api(`/api/slots?${query}`)).data.availableSlots;
};

const busy = (from: number, to: number) =>
  app.db.runRaw(
    "INSERT INTO busy_time (counselor_key, starts_at, ends_at, is_last) VALUES ('asha', ?, ?, 0)",
    [from, to],
  );

describe("a day", () => {
  it("says what is offered, blocked, busy and booked, as the other calls do", async () => {
    const date = dayAhead(12);
    const paid = await bookConfirmed(app, {
      date,
      timeSlot: "10:00",
      package: 45,
      packagePrice: 1299,
    });
    const held = await book(app, { date, timeSlot: "15:00", name: "Held Person" });
    const gone = await bookConfirmed(app, { date, timeSlot: "09:00" });
    await admin(`/appointments/${gone.id}/cancel`, { method: "POST" });
    const block = { counselor: ASHA, date, timeSlotsToBlock: ["16:30", "14:00"], action: "block" };
    await admin("/blocks", { json: { ...block, reason: "Simulator" } });
    busy(instantOf(date, "22:00"), instantOf(dayAhead(13)));
    busy(instantOf(date, "11:10"), instantOf(date, "11:20") + 30_000);
    const day = await dayOf(date);
    expect(day).toEqual({
      key: "asha",
      name: ASHA,
      offered: ["09:00"],
      blocked: [
        { timeSlot: "14:00", reason: "Simulator" },
        { timeSlot: "16:30", reason: "Simulator" },
      ],
      busy: [
        { from: "11:10", to: "11:21" },
        { from: "22:00", to: "24:00" },
      ],
      leave: null,
      sessions: [
        {
          id: paid.id,
          name: paid.body.name,
          timeSlot: "10:00",
          package: 45,
          status: "confirmed",
        },
        {
          id: held.id,
          name: "Held Person",
          timeSlot: "15:00",
          package: 30,
          status: "pending_payment",
        },
      ],
    });
    expect(day.offered).toEqual(await offered(date));
  });

  it("says the leave of one captain and the holiday of all, with sessions that stand", async () => {
    const [from, to] = [dayAhead(16), dayAhead(17)];
    const { id } = await bookConfirmed(app, { date: from, timeSlot: "10:00" });
    await admin("/leave", { json: { counselor: ASHA, from, to, reason: "Line check" } });
    await admin("/leave", { json: { from: dayAhead(18), to: dayAhead(18) } });
    const { data } = await ask({ from: dayAhead(15), to: dayAhead(18) });
    const seen = data.days.map((day: Shown) => [
      day.date,
      ...day.counselors.map((one) => [one.leave?.reason, one.offered.length > 0]),
    ]);
    expect(seen).toEqual([
      [dayAhead(15), [undefined, true], [undefined, true]],
      [from, ["Line check", false], [undefined, true]],
      [to, ["Line check", false], [undefined, true]],
      [dayAhead(18), [null, false], [null, false]],
    ]);
    expect(data.days[1].counselors[0].leave).toEqual({ from, to, reason: "Line check" });
    expect(data.days[1].counselors[0].sessions).toMatchObject([{ id }]);
  });
});

describe("refusals", () => {
  const day = dayAhead(1);
  it.each([
    [{ to: day }, "from"],
    [{ from: day }, "to"],
    [{ from: "2026-02-30", to: day }, "from"],
    [{ from: day, to: dayAhead(0) }, "to"],
    [{ from: day, to: dayAhead(63) }, "to"],
    [{ from: day, to: day, counselor: "Nobody" }, "counselor"],
  ])("%j names %s", async (query, field) => {
    const answer = await ask(query as unknown as Record<string, string>);
    expect([answer.httpStatus, answer.code]).toEqual([400, "validation_failed"]);
    expect(Object.keys(answer.errors ?? {})).toEqual([field]);
  });

  it("takes 62 days, and an empty captain for all", async () => {
    const most = await ask({ from: day, to: dayAhead(62), counselor: "" });
    expect([most.httpStatus, most.data.days.length]).toEqual([200, 62]);
    expect(most.data.days[0].counselors).toHaveLength(2);
  });
});
