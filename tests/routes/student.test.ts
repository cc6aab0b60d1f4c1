/** A session for somebody else: from call and form to pass, panel, captain and documents. */
import { expect, it } from "vitest";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { type AdminApi, adminOf, bookAndPay, bookConfirmed } from "#tests/support/admin.ts";
import { bookingBody, bookingForm, dayAhead } from "#tests/support/bookings.ts";
import { captainOf } from "#tests/support/captain.ts";
import { eventually } from "#tests/support/eventually.ts";
import { sharedApp } from "#tests/support/hooks.ts";
import { pdfText } from "#tests/support/pdf-text.ts";

const app = sharedApp();

const KABIR = { name: "Kabir Pillai", under18: true, relation: "mother" };
const forKabir = (days: number) => ({ date: dayAhead(days), student: KABIR }) as object;
const page = async (path: string, by?: AdminApi) => (await (by?.page ?? app.api)(path)).text;

it("stands in staff's detail, and for the captain by name; the pass names the student, the invoice the payer", async () => {
  const { id } = await bookAndPay(app, forKabir(11));
  const other = await bookConfirmed(app, { date: dayAhead(12) });
  const owner = await adminOf(app);
  expect((await owner(`/appointments/${id}`)).data.appointment).toMatchObject({
    ...{ name: "Meera Pillai", student: KABIR },
  });
  expect((await owner(`/appointments/${id}`)).data.student).toEqual(KABIR);
  const { data: without } = await owner(`/appointments/${other.id}`);
  expect([without.appointment.student, without.student]).toEqual([null, null]);
  const captain = await captainOf(app);
  const uid = findAppointment(app.db, id)!.calendarUid;
  const session = await captain(`/appointments/${uid}`);
  expect(session.data.appointment.student).toEqual({ name: KABIR.name });
  expect(session.text).not.toContain("mother");
  expect(await page(`/admin/sessions/${uid}`, captain)).toMatch(/<h1[^>]*>Kabir Pillai/);
  expect(await page(`/admin/appointments/${id}`, owner)).toContain(
    "Kabir Pillai, under 18, booked by: mother",
  );
  expect(await page(`/booking/${id}`)).toContain("Kabir Pillai");
  const invoice = await pdfText((await app.api(`/api/invoice/${id}`)).bytes);
  expect([invoice.includes("Meera Pillai"), invoice.includes("Kabir")]).toEqual([true, false]);
  const toCaptain = app.sandbox.mailbox.list({ to: findAppointment(app.db, id)!.counselorEmail! });
  const subjects = toCaptain.map(({ subject }) => subject).filter((one) => /Kabir/.test(one));
  expect(subjects).toHaveLength(1);
});

it("is asked for by the form, which keeps what was typed and says what is missing", async () => {
  const form = bookingForm({ date: dayAhead(13), timeSlot: "11:00" });
  const post = (changes: object) => app.api("/?index", { form: { ...form, ...changes } });
  const typed = {
    forWhom: "other",
    studentName: "Kabir Pillai",
    underEighteen: "on",
    relation: "",
  };
  const refused = await post(typed);
  expect(refused.httpStatus).toBe(400);
  const html = refused.text;
  expect(html).toContain("Please say how you are related to the student");
  expect(html).toMatch(
    /name="studentName"[^>]*value="Kabir Pillai"|value="Kabir Pillai"[^>]*name="studentName"/,
  );
  expect(html).toMatch(/<input(?=[^>]*value="other")[^>]*checked/);
  const booked = await post({ ...typed, relation: "father" });
  expect(booked.httpStatus).toBe(303);
  const id = /booking\/(\w+)/.exec(booked.headers.get("location")!)![1]!;
  const { contact, student } = findAppointment(app.db, id)!;
  expect([contact.name, student]).toEqual(["Meera Pillai", { ...KABIR, relation: "father" }]);
});

it("refuses a call with half a student, and staff's booking takes one; null is none, as of any optional field", async () => {
  const half = { ...bookingBody(), student: { name: "Kabir", under18: true } };
  expect(await app.api("/api/appointments", { json: half })).toMatchObject({
    ...{ httpStatus: 400, code: "validation_failed", errors: { student: [expect.any(String)] } },
  });
  const owner = await adminOf(app);
  const none = { student: null, notes: null, state: null, gstin: null, whatsapp: null };
  const more = { billingName: null, billingAddress: null, country: null };
  const { packagePrice, ...asked } = { ...bookingBody({ date: dayAhead(14) }), ...none, ...more };
  const booked = await app.api("/api/appointments", { json: { ...asked, packagePrice } });
  expect(booked.httpStatus).toBe(201);
  expect(findAppointment(app.db, booked.data.id)!.student).toBeNull();
  const byStaff = async (date: string, changes: object) => {
    const nothing = { staffNote: null, noticeRead: null, override: null };
    const json = { ...asked, ...nothing, date, ...changes };
    const { httpStatus, data } = await owner("/appointments", { json });
    return [httpStatus, data.appointment.student];
  };
  const payment = { by: "offline", method: "cash", reference: null, receivedOn: null };
  expect(await byStaff(dayAhead(19), { payment })).toEqual([201, null]);
  const link = { payment: { by: "link", payBefore: null } };
  expect(await byStaff(dayAhead(20), { ...link, student: KABIR })).toEqual([201, KABIR]);
  const adult = { name: KABIR.name, under18: null, relation: null };
  expect(await byStaff(dayAhead(21), { ...link, student: adult })).toEqual([
    ...[201, { name: KABIR.name, under18: false, relation: null }],
  ]);
});

it("is corrected by staff in form and call, found by that name, and never by a captain", async () => {
  const { id } = await bookConfirmed(app, forKabir(17));
  const forMe = await bookConfirmed(app, { date: dayAhead(18) });
  const owner = await adminOf(app);
  const captain = await captainOf(app);
  const rename = (of: string, student: unknown, by = owner) =>
    by(`/appointments/${of}`, { method: "PATCH", json: { student } });
  expect((await rename(id, { name: "Zubin Pillai" })).data.appointment).toMatchObject({
    ...{ name: "Meera Pillai", student: { ...KABIR, name: "Zubin Pillai" } },
  });
  expect((await rename(forMe.id, { name: "Zubin Pillai" })).errors).toHaveProperty("student");
  const { calendarUid } = findAppointment(app.db, id)!;
  expect((await rename(calendarUid, { name: "Mine" }, captain)).httpStatus).toBe(403);
  for (const by of [owner, captain]) {
    const { data } = await by("/appointments?q=zubin");
    expect(data.appointments.map(({ date }: { date: string }) => date)).toEqual([dayAhead(17)]);
  }
  // What was found says why, in the list and by the field of the head.
  expect(await page("/admin?q=zubin", owner)).toMatch(/For Zubin Pillai/);
  const sought = await owner.page("/admin/find", { form: { q: "zubin" } });
  expect(sought.text).toContain(", for Zubin Pillai");
  const edit = (of: string) => page(`/admin/appointments/${of}/edit`, owner);
  expect(await edit(id)).toMatch(/<input(?=[^>]*name="studentName")[^>]*value="Zubin Pillai"/);
  expect(await edit(forMe.id)).not.toContain('name="studentName"');
  const { contact, version } = findAppointment(app.db, id)!;
  const saved = await owner.page(`/admin/appointments/${id}/edit`, {
    form: {
      ...{ name: contact.name, email: contact.email, phone: contact.phone, notes: "" },
      ...{ staffNote: "", studentName: "Zubin P. Pillai", version: String(version) },
    },
  });
  expect(saved.httpStatus).toBe(303);
  expect(findAppointment(app.db, id)!.student).toEqual({ ...KABIR, name: "Zubin P. Pillai" });
  expect(await page(`/admin/appointments/${id}`, owner)).toContain(
    "student name from “Zubin Pillai” to “Zubin P. Pillai”",
  );
});

it("the guardian's page tells nothing without its link, and confirms without scripts", async () => {
  const { id, body } = await bookAndPay(app, forKabir(16));
  const mail = await eventually(() => {
    const [found] = app.sandbox.mailbox
      .list({ to: body.email })
      .filter(({ subject }) => /confirm: /.test(subject));
    expect(found).toBeDefined();
    return found!;
  });
  const path = /\/guardian\/[a-z0-9]{26}/.exec(mail.text)![0];
  for (const none of ["z".repeat(26), id]) {
    expect((await app.api(`/guardian/${none}`)).httpStatus).toBe(404);
  }
  const agreed = { relation: "mother", agree: "on" };
  const guessed = await app.api(`/guardian/${"z".repeat(26)}`, { form: agreed });
  expect([guessed.httpStatus, guessed.text.includes("Kabir")]).toEqual([404, false]);
  const open = await fetch(app.origin + path);
  expect(open.headers.get("cache-control")).toBe("private, no-store");
  const words = await open.text();
  expect(words).toContain("parent or guardian of Kabir Pillai");
  // As given at booking.
  expect(words).toMatch(/<input(?=[^>]* id="guardian-relation")[^>]* value="mother"/);
  expect(words).not.toMatch(/verifiab/i);
  expect([words.includes(body.email), words.includes(id)]).toEqual([false, false]);
  const post = (form: Record<string, string>) => app.api(path, { form });
  const unticked = await post({ relation: "" });
  const html = unticked.text;
  expect(unticked.httpStatus).toBe(400);
  // A line for each, which leads to its field, and has the focus.
  expect(html).toMatch(/id="form-errors"[^>]*autofocus/i);
  expect(html).toMatch(/<a[^>]* href="#guardian-relation">Please say how you are related/);
  expect(html).toMatch(/<a[^>]* href="#guardian-agree">Please tick the box if you agree/);
  expect(html).toMatch(/<input(?=[^>]* id="guardian-relation")(?![^>]*autofocus)/i);
  expect(html).toContain('id="guardian-agree"');
  const [, shown = ""] = /name="shown" value="([^"]+)"/.exec(words)!;
  const changed = await post({ ...agreed, shown: shown.toUpperCase() });
  expect(changed.httpStatus).toBe(409);
  expect(changed.text).toContain("Please read it again");
  expect(changed.text).toContain(`name="shown" value="${shown}"`);
  expect((await post({ ...agreed, shown })).httpStatus).toBe(303);
  expect(await page(path)).toContain("You have confirmed");
  const owner = await adminOf(app);
  expect(await page(`/admin/appointments/${id}`, owner)).toContain("as mother of Kabir Pillai");
  const [{ id: customer }] = (await owner(`/customers?q=${body.email}`)).data.customers;
  const { text } = await owner(`/customers/${customer}/data`);
  expect(text).toContain("I am an adult, and a parent or guardian of Kabir Pillai");
  expect(text).not.toContain(path.slice(-26));
});
