/** Weekly hours, leave, the sessions they touch, and moving one to the other captain, over HTTP. */
import { describe, expect, it } from "vitest";
import { WEEKDAYS, weekdayNameOf } from "#app/model/week.ts";
import { bookConfirmed } from "#tests/support/admin.ts";
import { ASHA, dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp();
const admin = sharedAdmin(app);

const DEFAULTS = ["09:00", "10:00", "11:00", "14:00", "15:00", "16:00"];
const UNSET = { week: null, bufferMinutes: 0, version: 1 };
const HOURS = "/counselors/rohan/hours";
const weekOf = (times: readonly string[]) =>
  Object.fromEntries(WEEKDAYS.map((day) => [day, times])) as Record<string, readonly string[]>;
const offered = async (counselor: string, date: string, minutes = 30) => {
  const query = new URLSearchParams({ counselor, date, package: String(minutes) });
  return (await app.api(`/api/slots?${query}`)).data;
};
const put = (json: object, path = HOURS) => admin(path, { method: "PUT", json });
const moveTo = (id: string, json: object) =>
  admin(`/appointments/${id}/reschedule`, { method: "PUT", json });
const needsYou = async () => {
  const { html } = await admin.page("/admin");
  const [, attention = ""] = html.split('id="attention"');
  return attention.split("</section>", 1)[0]!;
};

describe("weekly hours", () => {
  it("are offered where no times are set for the date, and end with the default times", async () => {
    expect((await admin(HOURS)).data).toEqual({ hours: UNSET });
    const date = dayAhead(20);
    const day = weekdayNameOf(date);
    const week = { ...weekOf(["12:00"]), [day]: ["18:00", "08:30", "18:00"] };
    const set = await put({ week, bufferMinutes: 15, version: 1 });
    const kept = { ...week, [day]: ["08:30", "18:00"] };
    expect([set.httpStatus, set.data]).toEqual([
      200,
      { hours: { week: kept, bufferMinutes: 15, version: 2 }, affected: [] },
    ]);
    expect((await admin(HOURS)).data).toEqual({ hours: set.data.hours });
    const times = { availableSlots: ["08:30", "18:00"], defaultSlots: ["08:30", "18:00"] };
    expect(await offered(ROHAN, date)).toEqual(times);
    expect((await offered(ASHA, date)).availableSlots).toEqual(DEFAULTS);
    const query = new URLSearchParams({ counselor: ROHAN, date });
    expect((await admin(`/slots?${query}`)).data).toMatchObject({
      ...{ timeSlots: ["08:30", "18:00"], isDefault: true },
    });
    await admin("/slots", { json: { counselor: ROHAN, date, timeSlots: ["10:00"] } });
    expect(await offered(ROHAN, date)).toEqual({ availableSlots: ["10:00"], defaultSlots: [] });
    const back = await admin(`/slots?${query}`, { method: "DELETE" });
    expect(back.data.timeSlots).toEqual(["08:30", "18:00"]);
    await put({ week: null, bufferMinutes: 0 });
    expect((await offered(ROHAN, date)).availableSlots).toEqual(DEFAULTS);
  });

  it.each([
    ["no week", { bufferMinutes: 0 }, "week"],
    ["a day left out", { week: { ...weekOf([]), mon: undefined }, bufferMinutes: 0 }, "week"],
    ["a day that is none", { week: { ...weekOf([]), day: ["09:00"] }, bufferMinutes: 0 }, "week"],
    ["a time off the list", { week: weekOf(["09:15"]), bufferMinutes: 0 }, "week"],
    ["no time at all", { week: weekOf([]), bufferMinutes: 0 }, "week"],
    ["text for a week", { week: "mon", bufferMinutes: 0 }, "week"],
    ["no buffer", { week: null }, "bufferMinutes"],
    ["half a minute", { week: null, bufferMinutes: 0.5 }, "bufferMinutes"],
    ["a buffer under 0", { week: null, bufferMinutes: -1 }, "bufferMinutes"],
    ["a buffer over 120", { week: null, bufferMinutes: 121 }, "bufferMinutes"],
    ["a version that is none", { week: null, bufferMinutes: 0, version: "x" }, "version"],
    ["a version before the first", { week: null, bufferMinutes: 0, version: 0 }, "version"],
  ])("refuse %s, and nothing is half done", async (_, json, field) => {
    const before = (await admin(HOURS)).data;
    const refused = await put(json);
    expect([refused.httpStatus, Object.keys(refused.errors ?? {})]).toEqual([400, [field]]);
    expect((await admin(HOURS)).data).toEqual(before);
  });

  it("refuse an older version, and a counselor that is none", async () => {
    const { version } = (await admin(HOURS)).data.hours;
    const stale = await put({ week: null, bufferMinutes: 5, version: version - 1 });
    expect([stale.httpStatus, stale.code]).toEqual([409, "stale"]);
    for (const method of ["GET", "PUT"]) {
      const json = method === "PUT" ? { json: { week: null, bufferMinutes: 0 } } : {};
      const none = await admin("/counselors/nobody/hours", { method, ...json });
      expect([none.httpStatus, none.code]).toEqual([404, "not_found"]);
      expect(none.message).toBe("There is no such captain.");
    }
  });
});

describe("leave", () => {
  it("takes whole days out, of one or of all, until it is removed", async () => {
    const [from, to] = [dayAhead(40), dayAhead(41)];
    const own = await admin("/leave", { json: { counselor: ASHA, from, to, reason: "Roster" } });
    expect([own.httpStatus, own.data]).toEqual([
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
      expect([gone.httpStatus, gone.data.leave.id]).toEqual([200, id]);
    }
    expect((await admin(`/leave/${ids[0]}`, { method: "DELETE" })).httpStatus).toBe(404);
    expect((await offered(ASHA, from)).availableSlots).toEqual(DEFAULTS);
    const logged = app.db.allRaw<{ line: string }>(
      "SELECT action || ' ' || target AS line FROM activity WHERE action GLOB 'leave_*' ORDER BY id DESC LIMIT 4",
    );
    const lines = ["leave_remove all", "leave_remove asha", "leave_add all", "leave_add asha"];
    expect(logged.map(({ line }) => line)).toEqual(lines);
  });

  it.each([
    ["no start", { to: dayAhead(5) }, "from"],
    ["no end", { from: dayAhead(5) }, "to"],
    ["an end before its start", { from: dayAhead(5), to: dayAhead(4) }, "to"],
    ["days that are over", { from: dayAhead(-5), to: dayAhead(-1) }, "to"],
    ["a date that is none", { from: "2027-02-30", to: "2027-03-01" }, "from"],
    ["nobody we know", { counselor: "Nobody", from: dayAhead(5), to: dayAhead(5) }, "counselor"],
    ["a long reason", { from: dayAhead(5), to: dayAhead(5), reason: "x".repeat(201) }, "reason"],
  ])("refuses %s", async (_, json, field) => {
    const refused = await admin("/leave", { json });
    expect([refused.httpStatus, Object.keys(refused.errors ?? {})]).toEqual([400, [field]]);
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
    const form = new URLSearchParams({ version: "3", back: "/admin/slots?tab=block" });
    form.append("cause", "hours");
    const keep = async () => {
      const { version } = (await admin(`/appointments/${id}`)).data.appointment;
      form.set("version", String(version));
      return admin.page(`/admin/appointments/${id}/keep`, { form: [...form] });
    };
    const kept = await keep();
    expect(kept.led).toEqual([303, form.get("back")]);
    const after = await needsYou();
    expect(after).toContain("On leave.");
    expect(after).not.toContain("Outside the hours of the day");
    form.append("cause", `leave:${leave.data.leave.id}`);
    await keep();
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
    expect(await needsYou()).not.toContain("inside blocked time");
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

describe("staff move a session", () => {
  it("into the buffer only by saying so, when it is kept on purpose, and to the other captain", async () => {
    const date = dayAhead(60);
    const { id } = await bookConfirmed(app, { counselor: ROHAN, date, timeSlot: "10:00" });
    await bookConfirmed(app, { counselor: ROHAN, date, timeSlot: "14:00" });
    await put({ week: null, bufferMinutes: 30 });
    const near = await moveTo(id, { date, newTimeSlot: "14:30" });
    const words = "Less than 30 minutes from the session at 2:00 PM.";
    expect([near.httpStatus, near.code]).toEqual([409, "slot_taken"]);
    expect(near.errors?.timeSlot?.[0]).toContain(words);
    const moved = await moveTo(id, { date, newTimeSlot: "14:30", override: true });
    expect([moved.httpStatus, moved.data.appointment.timeSlot]).toEqual([200, "14:30"]);
    expect(await needsYou()).not.toContain("inside blocked time");
    await put({ week: null, bufferMinutes: 0 });
    const time = { date, newTimeSlot: "16:00" };
    const nobody = await moveTo(id, { ...time, counselor: "Nobody" });
    expect([nobody.httpStatus, Object.keys(nobody.errors ?? {})]).toEqual([400, ["counselor"]]);
    const handed = await moveTo(id, { ...time, counselor: ASHA });
    expect(handed.data.appointment).toMatchObject({ counselor: ASHA, status: "rescheduled" });
    expect((await offered(ASHA, date)).availableSlots).not.toContain("16:00");
    expect((await offered(ROHAN, date)).availableSlots).toContain("15:00");
  });
});
