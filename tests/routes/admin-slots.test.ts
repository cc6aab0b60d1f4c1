import { describe, expect, it } from "vitest";
import { bookConfirmed } from "#tests/support/admin.ts";
import { ASHA, dayAhead } from "#tests/support/bookings.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp();
const admin = sharedAdmin(app);

const DEFAULTS = ["09:00", "10:00", "11:00", "14:00", "15:00", "16:00"];

const query = (date: string, counselor = ASHA) => new URLSearchParams({ counselor, date });
const dayOf = async (date: string) => (await admin(`/slots?${query(date)}`)).data;
const offered = async (date: string, minutes: number) =>
  (await app.api(`/api/slots?${query(date)}&package=${minutes}`)).data;

describe("availability", () => {
  it("is set for a date, offered at once, and put back", async () => {
    const date = dayAhead(12);
    expect(await dayOf(date)).toEqual({
      timeSlots: DEFAULTS,
      isDefault: true,
      blocked: [],
      booked: [],
    });
    const json = { counselor: ASHA, date, timeSlots: ["18:00", "08:30", "18:00"] };
    const set = await admin("/slots", { json });
    expect([set.httpStatus, set.data]).toEqual([
      200,
      { timeSlots: ["08:30", "18:00"], affected: [] },
    ]);
    expect(await dayOf(date)).toMatchObject({ timeSlots: ["08:30", "18:00"], isDefault: false });
    expect(await offered(date, 30)).toEqual({
      availableSlots: ["08:30", "18:00"],
      defaultSlots: [],
    });
    const back = await admin(`/slots?${query(date)}`, { method: "DELETE" });
    expect(back.data).toEqual({ timeSlots: DEFAULTS, affected: [] });
    expect(await dayOf(date)).toMatchObject({ isDefault: true });
  });

  it("is set and put back by the form, and no tick at all is refused", async () => {
    const date = dayAhead(13);
    const submit = (intent: string, ...times: string[]) => {
      const form = [
        ...query(date),
        ["intent", intent],
        ...times.map((time) => ["timeSlots", time]),
      ];
      return admin.page("/admin/slots", { form });
    };
    const ticked = (html: string) => html.match(/name="timeSlots"[^>]*checked/g)?.length ?? 0;
    const refused = await submit("set");
    expect([refused.httpStatus, ticked(refused.text)]).toEqual([400, 6]);
    expect(refused.text).toContain("At least one time slot must be selected");
    const set = await submit("set", "08:00", "19:30");
    expect(set.httpStatus).toBe(303);
    const { text } = await admin.page(set.headers.get("location")!);
    expect([text.match(/name="timeSlots"/g)?.length, ticked(text)]).toEqual([26, 2]);
    expect((await offered(date, 30)).availableSlots).toEqual(["08:00", "19:30"]);
    expect((await submit("reset")).httpStatus).toBe(303);
    expect(await dayOf(date)).toMatchObject({ timeSlots: DEFAULTS, isDefault: true });
  });
});

describe("blocks", () => {
  const blocks = (json: object) => admin("/blocks", { json: { counselor: ASHA, ...json } });

  it("take out every start whose session would touch them", async () => {
    const date = dayAhead(15);
    const live = await bookConfirmed(app, { date, package: 60, timeSlot: "14:00" });
    const answer = await blocks({
      date,
      timeSlotsToBlock: ["14:30", "10:30"],
      action: "block",
      reason: "Simulator",
    });
    expect(answer.data).toEqual({
      blockedSlots: ["10:30", "14:30"],
      affected: [
        { id: live.id, name: live.body.name, date, timeSlot: "14:00", status: "confirmed" },
      ],
    });
    expect((await dayOf(date)).blocked).toEqual([
      { timeSlot: "10:30", reason: "Simulator" },
      { timeSlot: "14:30", reason: "Simulator" },
    ]);
    expect((await offered(date, 30)).availableSlots).toEqual([
      "09:00",
      "10:00",
      "11:00",
      "15:00",
      "16:00",
    ]);
    const freed = await blocks({
      date,
      timeSlotsToBlock: ["10:30", "11:00"],
      action: "unblock",
      reason: "",
    });
    expect(freed.data).toEqual({ blockedSlots: ["14:30"], affected: [] });
    const { data } = await admin(`/activity-logs?q=${date}`);
    // A reason that was left empty is none.
    const lines = data.logs.map(({ after }: { after: object }) => after);
    expect(lines[0]).toEqual({ timeSlots: ["10:30", "11:00"] });
  });
});

describe("refusals", () => {
  const date = dayAhead(16);
  const slots = { counselor: ASHA, date, timeSlots: ["09:00"] };
  const block = { counselor: ASHA, date, timeSlotsToBlock: ["09:00"], action: "block" };
  it.each([
    ["/slots", { ...slots, counselor: "Nobody" }, "counselor"],
    ["/slots", { ...slots, date: undefined }, "date"],
    ["/slots", { ...slots, date: dayAhead(-1) }, "date"],
    ["/slots", { ...slots, timeSlots: [] }, "timeSlots"],
    ["/slots", { ...slots, timeSlots: ["09:10"] }, "timeSlots"],
    ["/blocks", { ...block, action: "close" }, "action"],
    ["/blocks", { ...block, timeSlotsToBlock: [] }, "timeSlotsToBlock"],
    ["/blocks", { ...block, date: dayAhead(-1) }, "date"],
    ["/blocks", { ...block, reason: "x".repeat(201) }, "reason"],
  ] as const)("%s %j", async (path, json, field) => {
    const answer = await admin(path, { json });
    expect([answer.httpStatus, answer.code]).toEqual([400, "validation_failed"]);
    expect(Object.keys(answer.errors ?? {})).toEqual([field]);
  });
});
