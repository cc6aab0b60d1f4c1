/** The calls of the calendar, of times and of blocks: what they say of a day, and what they refuse. */
import { describe, expect, it } from "vitest";
import { instantOf } from "#app/model/dates.ts";
import { book, bookConfirmed } from "#tests/support/admin.ts";
import { ASHA, addBusyTime, dayAhead } from "#tests/support/bookings.ts";
import { filledForm } from "#tests/support/filled-form.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp();
const admin = sharedAdmin(app);

const DEFAULTS = ["09:00", "10:00", "11:00", "14:00", "15:00", "16:00"];

const query = (date: string) => new URLSearchParams({ counselor: ASHA, date });
const setOf = async (date: string) => (await admin(`/slots?${query(date)}`)).data;
const offered = async (date: string) =>
  (await app.api(`/api/slots?${query(date)}&package=30`)).data;

const ask = (query: Record<string, string>) => admin(`/calendar?${new URLSearchParams(query)}`);
const dayOf = async (date: string, counselor = ASHA) =>
  (await ask({ from: date, to: date, counselor })).data.days[0].counselors[0];

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
    addBusyTime(app.db, "asha", instantOf(date, "22:00"), instantOf(dayAhead(13)));
    addBusyTime(app.db, "asha", instantOf(date, "11:10"), instantOf(date, "11:20") + 30_000);
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
        { id: paid.id, name: paid.body.name, timeSlot: "10:00", package: 45, status: "confirmed" },
        {
          id: held.id,
          name: "Held Person",
          timeSlot: "15:00",
          package: 30,
          status: "pending_payment",
        },
      ],
    });
    const { data } = await app.api(`/api/slots?${query(date)}`);
    expect(data).toEqual({ availableSlots: day.offered, defaultSlots: day.offered });
    expect(await setOf(date)).toMatchObject({ blocked: day.blocked, booked: day.sessions });
  });

  it("says the leave of one captain and the holiday of all, with sessions that stand", async () => {
    const [from, to] = [dayAhead(16), dayAhead(17)];
    const { id } = await bookConfirmed(app, { date: from, timeSlot: "10:00" });
    await admin("/leave", { json: { counselor: ASHA, from, to, reason: "Line check" } });
    await admin("/leave", { json: { from: dayAhead(18), to: dayAhead(18) } });
    const { data } = await ask({ from: dayAhead(15), to: dayAhead(18) });
    const lineCheck = { leave: { from, to, reason: "Line check" }, offered: [] };
    const working = { leave: null, offered: DEFAULTS };
    const holiday = { leave: { reason: null }, offered: [] };
    expect(data.days).toMatchObject([
      { date: dayAhead(15), counselors: [working, working] },
      { date: from, counselors: [{ ...lineCheck, sessions: [{ id }] }, working] },
      { date: to, counselors: [lineCheck, working] },
      { date: dayAhead(18), counselors: [holiday, holiday] },
    ]);
  });
});

describe("a refusal of the calendar", () => {
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
    expect([answer.status, answer.code]).toEqual([400, "validation_failed"]);
    expect(Object.keys(answer.errors ?? {})).toEqual([field]);
  });

  it("takes 62 days, and an empty captain for all", async () => {
    const most = await ask({ from: day, to: dayAhead(62), counselor: "" });
    expect([most.status, most.data.days.length]).toEqual([200, 62]);
    expect(most.data.days[0].counselors).toHaveLength(2);
  });
});

it("availability is set and put back by the form, and no tick at all is refused", async () => {
  const date = dayAhead(33);
  const submit = (intent: string, ...times: string[]) => {
    const form = [...query(date), ["intent", intent], ...times.map((time) => ["timeSlots", time])];
    return admin.page("/admin/slots", { form });
  };
  const ticked = (html: string) => html.match(/name="timeSlots"[^>]*checked/g)?.length ?? 0;
  const refused = await submit("set");
  expect([refused.status, ticked(refused.text)]).toEqual([400, 6]);
  expect(refused.text).toContain("At least one time slot must be selected");
  const set = await submit("set", "08:00", "19:30");
  expect(set.status).toBe(303);
  const { text } = await admin.page(set.to!);
  expect([text.match(/name="timeSlots"/g)?.length, ticked(text)]).toEqual([26, 2]);
  expect((await offered(date)).availableSlots).toEqual(["08:00", "19:30"]);
  expect((await submit("reset")).status).toBe(303);
  const none = { blocked: [], booked: [] };
  expect(await setOf(date)).toEqual({ timeSlots: DEFAULTS, isDefault: true, ...none });
});

it("availability that another changed meanwhile is not undone, and ticks stay for a second try", async () => {
  const date = dayAhead(34);
  const path = `/admin/slots?${query(date)}`;
  const save = async (page: string, on = date) => {
    const { shown = "" } = filledForm(page, "slots");
    const ticks = ["10:00", "11:00"].map((time) => ["timeSlots", time]);
    const form = [...query(on), ["intent", "set"], ["shown", shown], ...ticks];
    return admin.page("/admin/slots", { form });
  };
  const before = (await admin.page(path)).html;
  await admin("/slots", { json: { counselor: ASHA, date, timeSlots: ["10:00", "18:00"] } });
  const refused = await save(before);
  expect([refused.status, (await setOf(date)).timeSlots]).toEqual([409, ["10:00", "18:00"]]);
  expect(refused.html).toMatch(/value="11:00"[^>]*checked|checked[^>]*value="11:00"/);
  // Another day was shown than the one that is set.
  expect((await save(before, dayAhead(35))).status).toBe(303);
  expect((await save(refused.html)).status).toBe(303);
});

it("blocks are set by the Enter key too, which submits a form by its first button", async () => {
  const { html } = await admin.page("/admin/slots?tab=block");
  const form = html.slice(html.indexOf('id="slots"'));
  expect(/<button[^>]*type="submit"[^>]*>/.exec(form)?.[0]).toContain('value="block"');
});

describe("a refusal of times or blocks", () => {
  const date = dayAhead(36);
  const slots = { counselor: ASHA, date, timeSlots: ["09:00"] };
  const block = { counselor: ASHA, date, timeSlotsToBlock: ["09:00"], action: "block" };
  it.each([
    ["/slots", { ...slots, counselor: "Nobody" }, "counselor"],
    ["/slots", { ...slots, date: undefined }, "date"],
    ["/slots", { ...slots, date: dayAhead(-1) }, "date"],
    ["/slots", { ...slots, timeSlots: ["09:10"] }, "timeSlots"],
    ["/blocks", { ...block, action: "close" }, "action"],
  ] as const)("%s %j", async (path, json, field) => {
    const answer = await admin(path, { json });
    expect([answer.status, answer.code]).toEqual([400, "validation_failed"]);
    expect(Object.keys(answer.errors ?? {})).toEqual([field]);
  });
});
