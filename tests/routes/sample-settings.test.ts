/** What an owner saves while samples are issued keeps nobody from real invoices later. */
import { expect, it } from "vitest";
import { readSavedSettings } from "#db/queries/settings.server.ts";
import { bookAndPay } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";
import { staffOf } from "#tests/support/staff.ts";

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
  const staff = await staffOf(app);
  expect((await admin.page("/admin")).text).toContain("Sample documents:");
  expect((await staff.page("/admin")).text).not.toContain("Sample documents:");
});

it("another phone, saved with an empty GSTIN in the form, leaves the GSTIN to its variable", async () => {
  const { version, ...settings } = await read();
  expect(settings.businessGstin).toBeNull();
  const business = Object.entries(settings).filter(([name]) => /^business|^grievance/.test(name));
  const fields = Object.fromEntries(business.map(([name, value]) => [name, String(value ?? "")]));
  const phone = "+91 80 4000 5000";
  const form = { version: String(version), ...fields, businessPhone: phone };
  const saved = await admin.page("/admin/settings", { form });
  expect(saved.status).toBe(303);
  expect(readSavedSettings(app.db).saved).toEqual({ businessPhone: phone });
  expect(await invoiceOf(8)).toEqual({ sample: 1, gstin: null, phone });
  await goLive();
  expect(await invoiceOf(9)).toEqual({ sample: 0, gstin: GSTIN, phone });
});

it("what a call has saved beside no GSTIN is left to the variables, its state to the GSTIN", async () => {
  await app.restart({ SAMPLE_DOCUMENTS: "1", BUSINESS_GSTIN: undefined });
  const json = { businessGstin: null, businessPhone: null, businessState: "07" };
  const none = await admin("/settings", { method: "PATCH", json });
  expect(none.data.settings).toMatchObject(json);
  await goLive();
  const { BUSINESS_PHONE: phone } = app.env;
  expect(await read()).toMatchObject({
    businessGstin: GSTIN,
    businessPhone: phone,
    businessState: "29",
  });
  expect(await invoiceOf(10)).toEqual({ sample: 0, gstin: GSTIN, phone });
});
