/** A session for somebody else: from call and form to pass, panel, captain and documents. */
import { expect, it } from "vitest";
import { MINUTE } from "#app/model/dates.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { findGuardian } from "#db/queries/preparation.server.ts";
import { type AdminApi, beginAt, bookAndPay, bookConfirmed } from "#tests/support/admin.ts";
import { bookingBody, bookingForm, dayAhead } from "#tests/support/bookings.ts";
import { captainOf } from "#tests/support/captain.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";
import { pdfText } from "#tests/support/pdf-text.ts";

const app = sharedApp();
const owner = sharedAdmin(app);

const KABIR = { name: "Kabir Pillai", under18: true, relation: "mother" };
const forKabir = (days: number) => ({ date: dayAhead(days), student: KABIR }) as object;
const page = async (path: string, by?: AdminApi) => (await (by?.page ?? app.api)(path)).text;

it("stands in staff's detail, and for the captain by name; the pass names the student, the invoice the payer", async () => {
  const { id } = await bookAndPay(app, forKabir(11));
  const other = await bookConfirmed(app, { date: dayAhead(12) });
  expect((await owner(`/appointments/${id}`)).data.appointment).toMatchObject({
    name: "Meera Pillai",
    student: KABIR,
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
});

it("is asked for by the form, which keeps what was typed and says what is missing", async () => {
  const student = { forWhom: "other", studentName: "Kabir Pillai", underEighteen: "on" };
  const form = { ...bookingForm({ date: dayAhead(13) }), ...student, relation: "" };
  const { status, text: html } = await app.api("/?index", { form });
  expect(status).toBe(400);
  expect(html).toContain("Please say how you are related to the student");
  expect(html).toMatch(
    /name="studentName"[^>]*value="Kabir Pillai"|value="Kabir Pillai"[^>]*name="studentName"/,
  );
  expect(html).toMatch(/<input(?=[^>]*value="other")[^>]*checked/);
});

it("is none where a call sends null, as of any optional field, and staff's booking takes one", async () => {
  const none = { student: null, notes: null, state: null, gstin: null, whatsapp: null };
  const more = { billingName: null, billingAddress: null, country: null };
  const { packagePrice, ...asked } = { ...bookingBody({ date: dayAhead(14) }), ...none, ...more };
  const booked = await app.api("/api/appointments", { json: { ...asked, packagePrice } });
  expect(booked.status).toBe(201);
  expect(findAppointment(app.db, booked.data.id)!.student).toBeNull();
  const byStaff = async (date: string, changes: object) => {
    const nothing = { staffNote: null, noticeRead: null, override: null };
    const json = { ...asked, ...nothing, date, ...changes };
    const { status, data } = await owner("/appointments", { json });
    return [status, data.appointment.student];
  };
  const payment = { by: "offline", method: "cash", reference: null, receivedOn: null };
  expect(await byStaff(dayAhead(19), { payment })).toEqual([201, null]);
  const link = { payment: { by: "link", payBefore: null } };
  const adult = { name: KABIR.name, under18: null, relation: null };
  expect(await byStaff(dayAhead(21), { ...link, student: adult })).toEqual([
    ...[201, { name: KABIR.name, under18: false, relation: null }],
  ]);
});

it("is corrected by staff in form and call, found by that name, and never by a captain", async () => {
  const { id } = await bookConfirmed(app, forKabir(17));
  const forMe = await bookConfirmed(app, { date: dayAhead(18) });
  const captain = await captainOf(app);
  const rename = (of: string, by = owner) =>
    by(`/appointments/${of}`, { method: "PATCH", json: { student: { name: "Zubin Pillai" } } });
  expect((await rename(id)).data.appointment).toMatchObject({
    name: "Meera Pillai",
    student: { ...KABIR, name: "Zubin Pillai" },
  });
  expect((await rename(forMe.id)).errors).toHaveProperty("student");
  const { calendarUid } = findAppointment(app.db, id)!;
  expect((await rename(calendarUid, captain)).status).toBe(403);
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
  expect(await edit(id)).toMatch(/<option(?=[^>]*selected)[^>]*value="under18"/);
  expect(await edit(forMe.id)).not.toContain('name="studentName"');
  const { contact, version } = findAppointment(app.db, id)!;
  const saved = await owner.page(`/admin/appointments/${id}/edit`, {
    form: {
      name: contact.name,
      email: contact.email,
      phone: contact.phone,
      notes: "",
      staffNote: "",
      studentName: "Zubin P. Pillai",
      studentAge: "adult",
      version: String(version),
    },
  });
  expect(saved.status).toBe(303);
  expect(findAppointment(app.db, id)!.student).toEqual({
    ...KABIR,
    name: "Zubin P. Pillai",
    under18: false,
  });
  expect(await page(`/admin/appointments/${id}`, owner)).toContain(
    "student name from “Zubin Pillai” to “Zubin P. Pillai”",
  );
});

it("the guardian's page tells nothing without its link, and confirms without scripts", async () => {
  const { id, body } = await bookAndPay(app, forKabir(16));
  const [mail] = await app.sandbox.mailbox.waitFor({ to: body.email, subject: "confirm: " });
  const path = /\/guardian\/[a-z0-9]{26}/.exec(mail!.text)![0];
  for (const none of ["z".repeat(26), id]) {
    expect((await app.api(`/guardian/${none}`)).status).toBe(404);
  }
  const agreed = { relation: "mother", agree: "on" };
  expect((await app.api(`/guardian/${"z".repeat(26)}`, { form: agreed })).status).toBe(404);
  const { headers, text: words } = await app.api(path);
  expect(headers.get("cache-control")).toBe("private, no-store");
  expect(words).toContain("parent or guardian of Kabir Pillai");
  // As given at booking.
  expect(words).toMatch(/<input(?=[^>]* id="guardian-relation")[^>]* value="mother"/);
  expect(words).not.toMatch(/verifiab/i);
  expect([words.includes(body.email), words.includes(id)]).toEqual([false, false]);
  const post = (form: Record<string, string>) => app.api(path, { form });
  const { status, text: html } = await post({ relation: "" });
  expect(status).toBe(400);
  // A line for each, which leads to its field, and has the focus.
  expect(html).toMatch(/id="form-errors"[^>]*autofocus/i);
  expect(html).toMatch(/<a[^>]* href="#guardian-relation">Please say how you are related/);
  expect(html).toMatch(/<a[^>]* href="#guardian-agree">Please tick the box if you agree/);
  expect(html).toMatch(/<input(?=[^>]* id="guardian-relation")(?![^>]*autofocus)/i);
  expect(html).toContain('id="guardian-agree"');
  const [, shown = ""] = /name="shown" value="([^"]+)"/.exec(words)!;
  const changed = await post({ ...agreed, shown: shown.toUpperCase() });
  expect([changed.status, changed.text.includes("Please read it again")]).toEqual([409, true]);
  expect(changed.text).toContain(`name="shown" value="${shown}"`);
  expect((await post({ ...agreed, shown })).status).toBe(303);
  expect(await page(path)).toContain("You have confirmed");
  expect(await page(`/admin/appointments/${id}`, owner)).toContain("as mother of Kabir Pillai");
});

it("the guardian's page takes nothing once the session is over or cancelled, and says so to who has confirmed too", async () => {
  const over = await bookAndPay(app, forKabir(22));
  const agreed = { relation: "mother", agree: "on" };
  const pathOf = (id: string) => `/guardian/${findGuardian(app.db, id)!.token}`;
  const path = pathOf(over.id);
  beginAt(app, over.id, Date.now() - 29 * MINUTE);
  expect(await page(path)).toContain("Confirm as parent or guardian");
  beginAt(app, over.id, Date.now() - 31 * MINUTE);
  const shown = await page(path);
  expect(shown).toContain("The session is over: there is nothing to confirm.");
  expect(shown).not.toMatch(/Confirm as parent or guardian|What you agree to/);
  const late = await app.api(path, { form: agreed });
  expect([late.status, findGuardian(app.db, over.id)!.confirmedAt]).toEqual([409, null]);
  const off = await bookAndPay(app, forKabir(23));
  const own = pathOf(off.id);
  expect((await app.api(own, { form: agreed })).status).toBe(303);
  expect(await page(own)).not.toContain("The session is");
  await owner(`/appointments/${off.id}/cancel`, { json: {} });
  const after = await page(own);
  for (const words of ["You have confirmed", "The session is cancelled.", "What you agreed to"]) {
    expect(after).toContain(words);
  }
});
