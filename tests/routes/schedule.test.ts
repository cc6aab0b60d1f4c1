/** Weekly hours by call and form, leave, the sessions they touch, and moving one to the other captain. */
import { describe, expect, it } from "vitest";
import { WEEKDAYS, weekdayNameOf } from "#app/model/day-plan.ts";
import { bookConfirmed } from "#tests/support/admin.ts";
import { ASHA, dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp();
const admin = sharedAdmin(app);

const DEFAULTS = ["09:00", "10:00", "11:00", "14:00", "15:00", "16:00"];
const HOURS = "/counselors/rohan/hours";
const weekOf = (times: readonly string[]) =>
  Object.fromEntries(WEEKDAYS.map((day) => [day, times])) as Record<string, readonly string[]>;
const offered = async (counselor: string, date: string) => {
  const query = new URLSearchParams({ counselor, date, package: "30" });
  return (await app.api(`/api/slots?${query}`)).data;
};
const put = (json: object) => admin(HOURS, { method: "PUT", json });
const needsYou = async () => {
  const { html } = await admin.page("/admin");
  const [, attention = ""] = html.split('id="attention"');
  return attention.split("</section>", 1)[0]!;
};

describe("weekly hours", () => {
  it("are offered where no times are set for the date, and end with the default times", async () => {
    const unset = { week: null, bufferMinutes: 0, version: 1 };
    expect((await admin(HOURS)).data).toEqual({ hours: unset });
    const date = dayAhead(20);
    const week = { ...weekOf(["12:00"]), [weekdayNameOf(date)]: ["08:30", "18:00"] };
    const set = await put({ week, bufferMinutes: 15, version: 1 });
    const hours = { week, bufferMinutes: 15, version: 2 };
    expect([set.status, set.data]).toEqual([200, { hours, affected: [] }]);
    expect((await admin(HOURS)).data).toEqual({ hours });
    const times = ["08:30", "18:00"];
    expect(await offered(ROHAN, date)).toEqual({ availableSlots: times, defaultSlots: times });
    expect((await offered(ASHA, date)).availableSlots).toEqual(DEFAULTS);
    const day = `/slots?${new URLSearchParams({ counselor: ROHAN, date })}`;
    expect((await admin(day)).data).toMatchObject({ timeSlots: times, isDefault: true });
    await admin("/slots", { json: { counselor: ROHAN, date, timeSlots: ["10:00"] } });
    expect(await offered(ROHAN, date)).toEqual({ availableSlots: ["10:00"], defaultSlots: [] });
    expect((await admin(day, { method: "DELETE" })).data.timeSlots).toEqual(times);
    await put({ week: null, bufferMinutes: 0 });
    expect((await offered(ROHAN, date)).availableSlots).toEqual(DEFAULTS);
  });

  it("refuse a wrong field, an older version, and a counselor that is none", async () => {
    const { version } = (await admin(HOURS)).data.hours;
    const wrong = await put({ bufferMinutes: 121 });
    expect([wrong.status, Object.keys(wrong.errors ?? {})]).toEqual([
      ...[400, ["week", "bufferMinutes"]],
    ]);
    const stale = await put({ week: null, bufferMinutes: 5, version: version - 1 });
    expect([stale.status, stale.code]).toEqual([409, "stale"]);
    for (const method of ["GET", "PUT"]) {
      const json = method === "PUT" ? { json: { week: null, bufferMinutes: 0 } } : {};
      const none = await admin("/counselors/nobody/hours", { method, ...json });
      expect([none.status, none.code]).toEqual([404, "not_found"]);
      expect(none.message).toBe("There is no such captain.");
    }
  });
});

describe("leave", () => {
  it("takes whole days out, of one or of all, until it is removed", async () => {
    const [from, to] = [dayAhead(40), dayAhead(41)];
    const own = await admin("/leave", { json: { counselor: ASHA, from, to, reason: "Roster" } });
    expect([own.status, own.data]).toEqual([
      201,
      {
        leave: { id: own.data.leave.id, counselor: ASHA, from, to, reason: "Roster" },
        affected: [],
      },
    ]);
    const none = { availableSlots: [], defaultSlots: [] };
    expect([await offered(ASHA, from), await offered(ASHA, to)]).toEqual([none, none]);
    expect((await offered(ASHA, dayAhead(42))).availableSlots).toEqual(DEFAULTS);
    expect((await offered(ROHAN, from)).availableSlots).toEqual(DEFAULTS);
    const all = await admin("/leave", { json: { from: to, to } });
    expect(all.data.leave).toMatchObject({ counselor: null, reason: null });
    expect(await offered(ROHAN, to)).toEqual(none);
    const ids = [own, all].map(({ data }) => data.leave.id);
    const listed = (await admin("/leave")).data.leave;
    expect(listed.map(({ id }: { id: string }) => id)).toEqual(ids);
    for (const id of ids) {
      const gone = await admin(`/leave/${id}`, { method: "DELETE" });
      expect([gone.status, gone.data.leave.id]).toEqual([200, id]);
    }
    expect((await admin(`/leave/${ids[0]}`, { method: "DELETE" })).status).toBe(404);
    expect((await offered(ASHA, from)).availableSlots).toEqual(DEFAULTS);
  });

  it.each([
    ["days that are over", { from: dayAhead(-5), to: dayAhead(-1) }, "to"],
    ["nobody we know", { counselor: "Nobody", from: dayAhead(5), to: dayAhead(5) }, "counselor"],
  ])("refuses %s", async (_, json, field) => {
    const refused = await admin("/leave", { json });
    expect([refused.status, Object.keys(refused.errors ?? {})]).toEqual([400, [field]]);
    expect((await admin("/leave")).data.leave).toEqual([]);
  });
});

describe("a session inside time that was taken away", () => {
  it("is named by what takes it, needs a person, and is kept on purpose once", async () => {
    const date = dayAhead(50);
    const name = "Clash Person";
    const { id } = await bookConfirmed(app, { counselor: ROHAN, date, timeSlot: "10:00", name });
    const touched = { id, name, date, timeSlot: "10:00", status: "confirmed" };
    const hours = await put({ week: weekOf(["12:00"]), bufferMinutes: 0 });
    expect(hours.data.affected).toEqual([touched]);
    const leave = await admin("/leave", { json: { counselor: ROHAN, from: date, to: date } });
    expect(leave.data.affected).toEqual([touched]);
    const page = await needsYou();
    expect(page).toContain("1 session inside blocked time");
    expect(page).toContain("Outside the hours of the day. On leave.");
    const back = "/admin/slots?tab=block";
    const keep = async (...causes: string[]) => {
      const { version } = (await admin(`/appointments/${id}`)).data.appointment;
      const form = [
        ["version", String(version)],
        ["back", back],
        ...causes.map((one) => ["cause", one]),
      ];
      return admin.page(`/admin/appointments/${id}/keep`, { form });
    };
    expect((await keep("hours")).led).toEqual([303, back]);
    const after = await needsYou();
    expect(after).toContain("On leave.");
    expect(after).not.toContain("Outside the hours of the day");
    await keep("hours", `leave:${leave.data.leave.id}`);
    expect(await needsYou()).not.toContain("inside blocked time");
    const { logs } = (await admin("/activity-logs?q=clash_keep")).data;
    expect(logs[0]).toMatchObject({ target: id, after: { inSpiteOf: ["On leave"] } });
    // Another cause takes its time.
    const json = { counselor: ROHAN, date, timeSlotsToBlock: ["10:00"], action: "block" };
    expect((await admin("/blocks", { json })).data.affected).toEqual([touched]);
    expect(await needsYou()).toContain("Blocked at 10:00 AM.");
    await admin(`/leave/${leave.data.leave.id}`, { method: "DELETE" });
    await put({ week: null, bufferMinutes: 0 });
    await admin(`/appointments/${id}/cancel`, { method: "POST", json: {} });
  });

  it("counts the later of two that come too near", async () => {
    const date = dayAhead(52);
    const time = { counselor: ROHAN, date, package: 60 };
    await bookConfirmed(app, { ...time, timeSlot: "10:00" });
    const later = await bookConfirmed(app, { ...time, timeSlot: "11:00" });
    const { affected } = (await put({ week: null, bufferMinutes: 30 })).data;
    expect(affected.map(({ id }: { id: string }) => id)).toEqual([later.id]);
    expect(await needsYou()).toContain("Less than 30 minutes from the session at 10:00 AM.");
    await admin(`/appointments/${later.id}/cancel`, { method: "POST", json: {} });
    await put({ week: null, bufferMinutes: 0 });
  });
});

it("many sessions at times taken away are counted and cut short; those of a change come first", async () => {
  const OF_ASHA = "/counselors/asha/hours";
  const MANY = "13 sessions stand at times that are not offered:";
  const names = await Promise.all(
    Array.from({ length: 13 }, async (_, i) => {
      const name = `Many Person ${String.fromCharCode(65 + i)}`;
      const date = dayAhead(76 + i);
      await bookConfirmed(app, { counselor: ASHA, date, timeSlot: "10:00", name });
      return name;
    }),
  );
  await admin(OF_ASHA, { method: "PUT", json: { week: weekOf(["12:00"]), bufferMinutes: 0 } });
  const named = (html: string) =>
    names.filter((name) => html.includes(`<strong class="break-words">${name}<`));
  for (const path of ["/admin/schedule/asha", `/admin/slots?counselor=${ASHA}`]) {
    const { words, html } = await admin.page(path);
    expect(words).toContain(MANY);
    expect(words).not.toContain("affected");
    expect(named(html)).toEqual(names.slice(0, 10));
    expect(words).toContain("and 3 more, shown as these are settled");
  }
  const day = dayAhead(88);
  for (const [path, form] of [
    ["/admin/schedule/asha", { intent: "leave-add", from: day, to: day }],
    ["/admin/slots", { action: "block", counselor: ASHA, date: day, timeSlotsToBlock: "10:00" }],
  ] as const) {
    const { words, html } = await admin.page(path, { form });
    const [change = "", others = ""] = html.split("12 more sessions stand at times that are not");
    expect(words).toContain("One appointment is affected. It stays as it is:");
    expect([named(change), named(others)]).toEqual([[names[12]], names.slice(0, 10)]);
    expect(words).toContain("and 2 more, shown as these are settled");
  }
  const block = { counselor: ASHA, date: day, timeSlotsToBlock: ["10:00"] };
  await admin("/blocks", { json: { ...block, action: "unblock" } });
  app.db.runRaw("DELETE FROM leave");
  await admin(OF_ASHA, { method: "PUT", json: { week: null, bufferMinutes: 0 } });
});

it("staff move a session into the buffer only by saying so, and to the other captain", async () => {
  const date = dayAhead(60);
  const { id } = await bookConfirmed(app, { counselor: ROHAN, date, timeSlot: "10:00" });
  await bookConfirmed(app, { counselor: ROHAN, date, timeSlot: "14:00" });
  await put({ week: null, bufferMinutes: 30 });
  const moveTo = (json: object) =>
    admin(`/appointments/${id}/reschedule`, { method: "PUT", json: { date, ...json } });
  const near = await moveTo({ newTimeSlot: "14:30" });
  expect([near.status, near.code]).toEqual([409, "slot_taken"]);
  expect(near.errors?.timeSlot?.[0]).toContain("Less than 30 minutes from the session at 2:00 PM.");
  const moved = await moveTo({ newTimeSlot: "14:30", override: true });
  expect([moved.status, moved.data.appointment.timeSlot]).toEqual([200, "14:30"]);
  expect(await needsYou()).not.toContain("inside blocked time");
  await put({ week: null, bufferMinutes: 0 });
  const nobody = await moveTo({ newTimeSlot: "16:00", counselor: "Nobody" });
  expect([nobody.status, Object.keys(nobody.errors ?? {})]).toEqual([400, ["counselor"]]);
  const handed = await moveTo({ newTimeSlot: "16:00", counselor: ASHA });
  expect(handed.data.appointment).toMatchObject({ counselor: ASHA, status: "rescheduled" });
  expect((await offered(ASHA, date)).availableSlots).not.toContain("16:00");
});

describe("the form of weekly hours without scripts", () => {
  const PATH = "/admin/schedule/rohan";
  const GAPS = /default times have gaps\. Saving from and to fills them/;
  const hours = async () => (await admin(HOURS)).data.hours;
  const page = async () => (await admin.page(PATH)).text;
  /** Every day from 9 to 16 o'clock, as a form shows the default times, but for the changes. */
  const save = async (changes: Record<string, string> = {}) => {
    const days = WEEKDAYS.flatMap((day) => [
      [`${day}From`, "09:00"],
      [`${day}To`, "16:00"],
    ]);
    const { version, bufferMinutes } = await hours();
    const form = {
      intent: "save",
      as: "ranges",
      version,
      bufferMinutes,
      ...Object.fromEntries(days),
      ...changes,
    };
    return admin.page(PATH, { form });
  };
  const chosen = (html: string, name: string) =>
    new RegExp(`<select[^>]*name="${name}".*?</select>`, "s")
      .exec(html)?.[0]
      .match(/<option[^>]*selected[^>]*value="([^"]*)"|<option value="([^"]*)" selected/)
      ?.slice(1)
      .find(Boolean);
  const way = (html: string) =>
    /<input[^>]*name="as"[^>]*checked[^>]*>/.exec(html)?.[0].match(/value="(\w+)"/)?.[1];

  it("begins with from and to, and says that saving so fills the gaps of the default times", async () => {
    const html = await page();
    expect([way(html), chosen(html, "monFrom"), chosen(html, "monTo")]).toEqual([
      ...["ranges", "09:00", "16:00"],
    ]);
    expect(html).toMatch(GAPS);
  });

  it("leaves the default times as they are where another buffer alone is saved", async () => {
    expect((await save({ bufferMinutes: "15" })).status).toBe(303);
    expect(await hours()).toMatchObject({ week: null, bufferMinutes: 15 });
  });

  it("keeps a range that ends before it begins as it was typed", async () => {
    const refused = await save({ tueFrom: "14:00", tueTo: "11:00" });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain("Please let Tuesday end after it begins");
    const seen = ["tueFrom", "tueTo", "wedFrom", "wedTo"].map((name) => chosen(refused.text, name));
    expect([way(refused.text), ...seen]).toEqual(["ranges", "14:00", "11:00", "09:00", "16:00"]);
  });

  it("stays with single times where they were given, and begins with them where they have gaps", async () => {
    const single = { as: "single", mon: "09:00" };
    const refused = await save({ ...single, bufferMinutes: "soon" });
    expect([refused.status, way(refused.text)]).toEqual([400, "single"]);
    await put({ week: weekOf(["09:00", "11:00"]), bufferMinutes: 0 });
    const html = await page();
    expect(way(html)).toBe("single");
    expect(html).toContain("These times have gaps");
  });

  it("keeps its version through a refusal, so that what another admin saved is not overwritten", async () => {
    const { version } = await hours();
    await put({ week: null, bufferMinutes: 45, version });
    const refused = await save({ version, bufferMinutes: "soon" });
    expect(refused.status).toBe(400);
    const kept = /name="version" value="(\d+)"/.exec(refused.text)![1]!;
    const again = await save({ version: kept, bufferMinutes: "10" });
    expect([again.status, (await hours()).bufferMinutes]).toEqual([409, 45]);
    expect(again.words).toContain(
      "What you chose was not saved: what was saved meanwhile has taken its place.",
    );
  });

  it("copies Monday's times to the days that are chosen, and asks for them where none is", async () => {
    const mon = [...DEFAULTS, "18:00"];
    const copy = async (...days: string[]) => {
      const { version, bufferMinutes } = await hours();
      const form = [
        ["intent", "copy"],
        ["as", "single"],
        ["version", String(version)],
        ["bufferMinutes", String(bufferMinutes)],
        ...Object.entries({ ...weekOf(DEFAULTS), mon }).flatMap(([day, times]) =>
          times.map((time) => [day, time]),
        ),
        ...days.map((day) => ["copyTo", day]),
      ];
      return admin.page(PATH, { form });
    };
    const refused = await copy();
    expect(refused.status).toBe(400);
    expect(refused.words).toContain("Please select the days that get Monday's times");
    expect((await hours()).week).toBeNull();
    expect((await copy("tue", "wed")).status).toBe(303);
    const week = { ...weekOf(DEFAULTS), mon, tue: mon, wed: mon };
    expect((await hours()).week).toEqual(week);
  });

  it("goes back to the default times whatever range is typed", async () => {
    const back = await save({ intent: "default", tueFrom: "14:00", tueTo: "11:00" });
    expect([back.status, (await hours()).week]).toEqual([303, null]);
  });
});
