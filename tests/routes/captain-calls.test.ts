/** What a captain's calls take and give: own sessions under ids of their own, own days, no more. */
import { beforeAll, describe, expect, it } from "vitest";
import { listActivity } from "#db/queries/activity.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { type AdminApi, bookAndPay, bookConfirmed, UNKNOWN_ID } from "#tests/support/admin.ts";
import { ASHA, dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { captainOf } from "#tests/support/captain.ts";
import { eventually } from "#tests/support/eventually.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp();
const owner = sharedAdmin(app);
let captain: AdminApi;
let own: string;
let other: string;
const uidOf = (id: string) => findAppointment(app.db, id)!.calendarUid;
beforeAll(async () => {
  captain = await captainOf(app);
  own = (await bookConfirmed(app, { name: "Meera Own", date: dayAhead(10), notes: "Class 1?" })).id;
  other = (await bookConfirmed(app, { counselor: ROHAN, date: dayAhead(10) })).id;
});

const codeOf = async (path: string, init: Parameters<AdminApi>[1] = {}) => {
  const { status, code } = await captain(path, init);
  return [status, code ?? null];
};
const FORBIDDEN = [403, "forbidden"];
const GONE = [404, "not_found"];
const forbidden = () =>
  listActivity(app.db, { page: 1, pageSize: 100 }).entries.filter(
    ({ action }) => action === "forbidden",
  );

describe("sessions", () => {
  it("are listed alone, in few fields and without revenue", async () => {
    const { data } = await captain("/appointments?q=meera");
    const { phone } = findAppointment(app.db, own)!.contact;
    expect(data.appointments).toEqual([
      {
        id: uidOf(own),
        name: "Meera Own",
        phone,
        counselor: ASHA,
        date: dayAhead(10),
        timeSlot: "10:00",
        package: 30,
        status: "confirmed",
        attendance: null,
        meta: { notes: "Class 1?" },
      },
    ]);
    expect(data.stats).toEqual({
      totalAppointments: 1,
      confirmedAppointments: 1,
      pendingPayments: 0,
    });
    expect((await owner("/appointments")).data.stats).toHaveProperty("totalRevenue");
  });

  it("are sorted by anything but sums, and those of others are refused", async () => {
    for (const sort of ["date", "-date", "created", "-created"]) {
      expect(await codeOf(`/appointments?sort=${sort}`)).toEqual([200, null]);
    }
    for (const query of ["sort=amount", "sort=-amount", `counselor=${encodeURIComponent(ROHAN)}`]) {
      expect(await codeOf(`/appointments?${query}`)).toEqual(FORBIDDEN);
    }
    const { data } = await captain(`/appointments?counselor=${encodeURIComponent(ASHA)}`);
    expect(data.appointments).toHaveLength(1);
  });

  it("are read one by one, under the id of the calendar alone", async () => {
    const { data } = await captain(`/appointments/${uidOf(own)}`);
    expect(data).toEqual({
      appointment: expect.objectContaining({ id: uidOf(own), staffNote: null, version: 2 }),
      student: null,
      plan: null,
      answers: [],
      room: { kind: "link", address: expect.stringMatching(/^https:/) },
    });
    expect(Object.keys(data.appointment).sort()).toEqual([
      ...["answers", "attendance", "counselor", "date", "id", "meta", "name", "package", "phone"],
      ...["plan", "room", "staffNote", "status", "student", "timeSlot", "version"],
    ]);
    for (const id of [own, other, uidOf(other), UNKNOWN_ID]) {
      expect(await codeOf(`/appointments/${id}`)).toEqual(GONE);
    }
    expect(await owner(`/appointments/${uidOf(own)}`)).toMatchObject({ status: 404 });
  });

  it("take the staff note, and no other field", async () => {
    const at = `/appointments/${uidOf(own)}`;
    const patch = (json: object) => ({ method: "PATCH", json });
    const { version } = (await captain(at)).data.appointment;
    const before = findAppointment(app.db, own);
    const logged = forbidden().length;
    for (const extra of [{ email: "not an address" }, { name: "Other" }, { price: 1 }]) {
      const json = { staffNote: "written", ...extra };
      expect(await codeOf(at, patch(json))).toEqual(FORBIDDEN);
    }
    expect(findAppointment(app.db, own)).toEqual(before);
    expect(forbidden()).toHaveLength(logged + 3);
    expect(forbidden()[0]).toMatchObject({
      actor: "captain-asha",
      role: "captain",
      after: { asked: "PATCH /api/admin/appointments/:id" },
    });
    const { data } = await captain(at, patch({ staffNote: "Bring the logbook", version }));
    expect(data.appointment).toMatchObject({ id: uidOf(own), staffNote: "Bring the logbook" });
    expect(data.appointment).not.toHaveProperty("email");
    expect(await codeOf(at, patch({ staffNote: "late", version }))).toEqual([409, "stale"]);
    expect(await codeOf(`/appointments/${own}`, patch({ staffNote: "x" }))).toEqual(GONE);
    expect(await codeOf(`/appointments/${uidOf(other)}`, patch({ staffNote: "x" }))).toEqual(GONE);
  });
});

describe("days", () => {
  const day = (counselor: string, date = dayAhead(10)) =>
    `counselor=${encodeURIComponent(counselor)}&date=${date}`;

  it("are their own in calendar and slots", async () => {
    const range = `from=${dayAhead(10)}&to=${dayAhead(10)}`;
    const { data } = await captain(`/calendar?${range}`);
    expect(data.days[0].counselors).toMatchObject([
      { key: "asha", sessions: [{ id: uidOf(own), name: "Meera Own" }] },
    ]);
    expect(await codeOf(`/calendar?${range}&counselor=${encodeURIComponent(ROHAN)}`)).toEqual(
      FORBIDDEN,
    );
    const slots = await captain(`/slots?${day(ASHA)}`);
    expect(slots.data.booked).toMatchObject([{ id: uidOf(own), timeSlot: "10:00" }]);
    expect(slots.data.booked[0]).not.toHaveProperty("calendarUid");
    const times = { timeSlots: ["10:00"] };
    for (const [method, path, json] of [
      ["GET", `/slots?${day(ROHAN)}`, undefined],
      ["DELETE", `/slots?${day(ROHAN)}`, undefined],
      ["POST", "/slots", { counselor: ROHAN, date: dayAhead(10), ...times }],
      [
        "POST",
        "/blocks",
        { counselor: ROHAN, date: dayAhead(10), timeSlotsToBlock: ["10:00"], action: "block" },
      ],
      ["GET", "/counselors/rohan/hours", undefined],
      ["PUT", "/counselors/rohan/hours", { week: null, bufferMinutes: 5 }],
      ["GET", "/counselors/rohan/busy-calendar", undefined],
      ["PUT", "/counselors/rohan/busy-calendar", { url: null }],
      ["POST", "/counselors/rohan/busy-calendar/refresh", undefined],
      ["POST", "/leave", { counselor: ROHAN, from: dayAhead(40), to: dayAhead(40) }],
      ["POST", "/leave", { from: dayAhead(40), to: dayAhead(40) }],
    ] as const) {
      expect([path, await codeOf(path, { method, json })]).toEqual([path, FORBIDDEN]);
    }
  });

  it("name the sessions affected by the session's id", async () => {
    const block = { counselor: ASHA, date: dayAhead(10), timeSlotsToBlock: ["10:00"] };
    const blocked = await captain("/blocks", { json: { ...block, action: "block" } });
    const affected = [
      { id: uidOf(own), name: "Meera Own", date: dayAhead(10), timeSlot: "10:00" },
    ].map((one) => ({ ...one, status: "confirmed" }));
    expect(blocked.data).toEqual({ blockedSlots: ["10:00"], affected });
    await captain("/blocks", { json: { ...block, action: "unblock" } });
    const set = { counselor: ASHA, date: dayAhead(10), timeSlots: ["15:00"] };
    expect((await captain("/slots", { json: set })).data).toEqual({
      timeSlots: ["15:00"],
      affected,
    });
    const reset = await captain(`/slots?${day(ASHA)}`, { method: "DELETE" });
    expect(reset.data.affected).toEqual([]);
    const week = { mon: [], tue: [], wed: [], thu: [], fri: [], sat: ["20:00"], sun: ["20:00"] };
    const hours = await captain("/counselors/asha/hours", {
      method: "PUT",
      json: { week, bufferMinutes: 0 },
    });
    expect(hours.data.affected).toContainEqual(affected[0]);
    const json = { week: null, bufferMinutes: 0 };
    await captain("/counselors/asha/hours", { method: "PUT", json });
    const { data } = await owner("/blocks", { json: { ...block, action: "block" } });
    expect(data.affected).toMatchObject([{ id: own }]);
    await owner("/blocks", { json: { ...block, action: "unblock" } });
  });

  it("have leave: own is added and removed, that of all is only read, others' is unknown", async () => {
    const [from, to] = [dayAhead(50), dayAhead(51)];
    const ofAll = (await owner("/leave", { json: { from, to } })).data.leave.id;
    const ofOther = (await owner("/leave", { json: { counselor: ROHAN, from, to } })).data.leave.id;
    const added = await captain("/leave", { json: { counselor: ASHA, from, to } });
    expect(added.status).toBe(201);
    const ids = (await captain("/leave")).data.leave.map(({ id }: { id: string }) => id);
    expect(ids.sort()).toEqual([ofAll, added.data.leave.id].sort());
    const remove = (id: string) => codeOf(`/leave/${id}`, { method: "DELETE" });
    expect(await remove(ofAll)).toEqual(FORBIDDEN);
    expect(await remove(ofOther)).toEqual(GONE);
    expect(await remove(added.data.leave.id)).toEqual([200, null]);
    expect((await owner("/leave")).data.leave).toHaveLength(2);
  });
});

/** Fetched when it is wanted, and never in our file. */
it("the host's link leads nobody but the session's captain to Zoom", async () => {
  const room = { kind: "zoom", address: "https://meet.example/fallback" };
  expect((await owner("/counselors/asha", { method: "PUT", json: { room } })).status).toBe(200);
  const { id } = await bookAndPay(app, { counselor: ASHA, date: dayAhead(60) });
  const detail = async () => (await owner(`/appointments/${id}`)).data;
  await eventually(async () => expect((await detail()).room.address).toContain("/zoom/j/"));
  expect((await detail()).room.kind).toBe("zoom");
  expect((await app.api(`/booking/${id}`)).text).toContain((await detail()).room.address);
  const path = `/admin/sessions/${uidOf(id)}/host`;
  const another = await captainOf(app, ROHAN);
  for (const ask of [app.api, owner.page, another.page]) {
    expect((await ask(path)).led.join(" ")).not.toContain("zak=");
  }
  expect((await another.page(path)).status).toBe(404);
  expect((await captain.page(path)).led).toEqual([
    302,
    expect.stringMatching(/\/zoom\/s\/\d+\?zak=\d+$/),
  ]);
  const kept = app.db.allRaw<{ sql: string }>("SELECT * FROM session_room");
  expect(JSON.stringify(kept)).not.toContain("zak=");
});

it("a meeting deleted at Zoom is made anew when its captain starts it, and both get the new link", async () => {
  const { id } = await bookAndPay(app, { counselor: ASHA, date: dayAhead(61) });
  const link = () => findAppointment(app.db, id)!.roomUrl;
  await eventually(async () => expect(link()).toContain("/zoom/j/"));
  const deleted = link()!;
  const { meetings } = app.sandbox.zoom;
  meetings.delete(Number(deleted.split("/").at(-1)));
  app.sandbox.switches.set({ name: "zoom_refuse", match: "POST /zoom/v2/users", count: 1 });
  const path = `/admin/sessions/${uidOf(id)}`;
  for (const _ of ["pressed", "pressed again"]) {
    const answer = await captain.page(`${path}/host`);
    expect(answer.led).toEqual([303, path]);
    expect((await captain.after(answer, path)).text).toContain("Deleted at Zoom");
  }
  app.db.runRaw("UPDATE session_room SET next_try_at = 0 WHERE next_try_at IS NOT NULL");
  await eventually(async () => expect(link()).not.toBe(deleted));
  for (const to of [findAppointment(app.db, id)!.contact.email, "asha@captains.example"]) {
    await eventually(async () =>
      expect(JSON.stringify(app.sandbox.mailbox.list({ to }))).toContain(link()),
    );
  }
  expect((await captain.page(`${path}/host`)).led[0]).toBe(302);
});
