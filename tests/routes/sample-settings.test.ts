/** What an owner saves while samples are issued keeps nobody from real invoices later. */
import { expect, it } from "vitest";
import { createSession } from "#app/auth/session.server.ts";
import { readSavedSettings } from "#db/queries/settings.server.ts";
import { addAccount, bookAndPay, sessionCookie } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp({ env: { SAMPLE_DOCUMENTS: "1", BUSINESS_GSTIN: undefined } });
const admin = sharedAdmin(app);

const GSTIN = "29ABCDE1234F1ZW";
const read = async () => (await admin("/settings")).data.settings;
const goLive = () => app.restart({ SAMPLE_DOCUMENTS: undefined, BUSINESS_GSTIN: GSTIN });
const invoiceOf = async (daysAhead: number) => {
  const { id } = await bookAndPay(app, { date: dayAhead(daysAhead) });
  return app.db.firstRaw<{ sample: number; gstin: string | null; phone: string | null }>(
    "SELECT sample, supplier ->> 'gstin' AS gstin, supplier ->> 'phone' AS phone FROM document WHERE appointment_id = ?",
    [id],
  );
};

it("the banner of sample documents is the owner's alone", async () => {
  await addAccount(app.db, { id: "staff", username: "staff", email: "s@b.in", role: "staff" });
  const { token } = createSession({ db: app.db, now: Date.now }, "staff", { userAgent: null });
  const page = async (of: string) =>
    (await app.api("/admin", { headers: { Cookie: sessionCookie(of) } })).text;
  expect(await page(admin.token)).toContain("Sample documents:");
  expect(await page(token)).not.toContain("Sample documents:");
});

it("another phone, saved with an empty GSTIN in the form, leaves the GSTIN to its variable", async () => {
  const { version, ...settings } = await read();
  expect(settings.businessGstin).toBeNull();
  const business = Object.entries(settings).filter(([name]) => /^business|^grievance/.test(name));
  const fields = Object.fromEntries(business.map(([name, value]) => [name, String(value ?? "")]));
  const phone = "+91 80 4000 5000";
  const form = { version: String(version), ...fields, businessPhone: phone };
  const saved = await admin.page("/admin/settings", { form });
  expect(saved.httpStatus).toBe(303);
  expect(readSavedSettings(app.db).saved).toEqual({ businessPhone: phone });
  expect(await invoiceOf(8)).toEqual({ sample: 1, gstin: null, phone });
  await goLive();
  expect(await invoiceOf(9)).toEqual({ sample: 0, gstin: GSTIN, phone });
});

it("a GSTIN and a phone that a call has saved as none are left to their variables", async () => {
  await app.restart({ SAMPLE_DOCUMENTS: "1", BUSINESS_GSTIN: undefined });
  const json = { businessGstin: null, businessPhone: null };
  const none = await admin("/settings", { method: "PATCH", json });
  expect(none.data.settings).toMatchObject(json);
  await goLive();
  expect(await read()).toMatchObject({
    businessGstin: GSTIN,
    businessPhone: app.env.BUSINESS_PHONE,
  });
  const invoice = { sample: 0, gstin: GSTIN, phone: app.env.BUSINESS_PHONE };
  expect(await invoiceOf(10)).toEqual(invoice);
});

it("a state that was saved beside no GSTIN is not that of the variable's GSTIN", async () => {
  await app.restart({ SAMPLE_DOCUMENTS: "1", BUSINESS_GSTIN: undefined });
  const json = { businessState: "07" };
  expect((await admin("/settings", { method: "PATCH", json })).data.settings).toMatchObject(json);
  await goLive();
  expect(await read()).toMatchObject({ businessGstin: GSTIN, businessState: "29" });
});
