/** The boxes about the notice and WhatsApp, as browsers without scripts send them. */
import { expect, it } from "vitest";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { setOptOut } from "#db/queries/message-leases.server.ts";
import { bookingBody, bookingForm, dayAhead } from "#tests/support/bookings.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp();
const admin = sharedAdmin(app);
const post = (path: string, form: Record<string, string>) => admin.page(path, { form });

const stored = (email: string) =>
  app.db.firstRaw("SELECT whatsapp, notice_by FROM appointment WHERE email = ?", [email]);

const form = (changes: Record<string, string> = {}) => ({ ...bookingForm(), ...changes });

it("the page offers to refuse WhatsApp, keeps the box, and stores the refusal", async () => {
  const page = (await app.api("/")).text;
  expect(page).toContain("No WhatsApp messages, please");
  const unticked = /<input(?=[^>]*name="noWhatsApp")[^>]*>/;
  // Nobody can pay before notice and box were in the way, though a phone keeps the button in sight.
  expect(page.lastIndexOf("Book and pay</button>")).toBeGreaterThan(page.search(unticked));
  expect(unticked.exec(page)![0]).not.toContain("checked");
  const wrong = await post("/?index", form({ phone: "12", noWhatsApp: "on" }));
  expect(wrong.status).toBe(400);
  expect(unticked.exec(wrong.text)![0]).toContain('checked=""');
  const agreed = form({ date: dayAhead(20) });
  const refused = form({ date: dayAhead(21), noWhatsApp: "on" });
  const agreedByName = form({ date: dayAhead(27), whatsapp: "true" });
  const refusedByName = form({ date: dayAhead(28), whatsapp: "false" });
  for (const fields of [agreed, refused, agreedByName, refusedByName]) {
    expect((await post("/?index", fields)).status).toBe(303);
  }
  expect(stored(agreedByName.email!)).toMatchObject({ whatsapp: 1 });
  expect(stored(refusedByName.email!)).toMatchObject({ whatsapp: 0 });
  expect(stored(agreed.email!)).toEqual({ whatsapp: 1, notice_by: null });
  expect(stored(refused.email!)).toEqual({ whatsapp: 0, notice_by: null });
});

it("a call refuses by `whatsapp:false`, and the paid booking's page promises none", async () => {
  for (const [whatsapp, promised] of [
    [undefined, true],
    [false, false],
  ] as const) {
    const json = bookingBody({ date: dayAhead(whatsapp === false ? 23 : 22) });
    const made = await app.api("/api/appointments", {
      json: { ...json, ...(whatsapp === undefined ? {} : { whatsapp }) },
    });
    expect(made.status).toBe(201);
    const { id } = made.data;
    app.db.runRaw("UPDATE appointment SET status = 'confirmed' WHERE id = ?", [id]);
    const page = (await app.api(`/booking/${id}`)).text;
    expect(page).toContain("A confirmation email to");
    expect(page.includes("and a WhatsApp message")).toBe(promised);
  }
  const { data } = await app.api("/api/appointments", {
    json: bookingBody({ date: dayAhead(26) }),
  });
  app.db.runRaw("UPDATE appointment SET status = 'confirmed' WHERE id = ?", [data.id]);
  setOptOut(app.db, findAppointment(app.db, data.id)!.contact.phone, true, 1);
  expect((await app.api(`/booking/${data.id}`)).words).not.toContain("and a WhatsApp message");
  const wrong = await app.api("/api/appointments", { json: { ...bookingBody(), whatsapp: "no" } });
  expect(wrong).toMatchObject({ status: 400, errors: { whatsapp: [expect.any(String)] } });
});

it("staff's form stores what was ticked", async () => {
  const NEW = "/admin/appointments/new";
  const { text: html } = await admin.page(NEW);
  expect(html).toContain("I read the notice to the customer");
  expect(html).toContain("agrees to booking messages by WhatsApp");
  const staff = { payBy: "link", payBefore: "", q: "", intent: "book" };
  const ticked = form({ ...staff, date: dayAhead(24), noticeRead: "on", whatsapp: "on" });
  expect((await post(NEW, ticked)).status).toBe(303);
  expect(stored(ticked.email!)).toMatchObject({ whatsapp: 1, notice_by: expect.any(String) });
  const wrong = await post(NEW, { ...ticked, phone: "12" });
  expect(wrong.text).toMatch(/name="noticeRead"[^>]*checked=""/);
});
