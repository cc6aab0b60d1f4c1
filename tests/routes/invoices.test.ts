/** Invoices from the booking call and the form to the document: of a company, of a customer abroad, with a logo. */
import { expect, it } from "vitest";
import { bookAndPay } from "#tests/support/admin.ts";
import { bookingForm, dayAhead } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";
import { pdfText } from "#tests/support/pdf-text.ts";
import { png } from "#tests/support/png.ts";

const app = sharedApp();
const admin = sharedAdmin(app);

const COMPANY = {
  gstin: "27AAPFU0939F1ZV",
  billingName: "Sky Lines Pvt. Ltd.",
  billingAddress: "4 Marine Drive\nMumbai 400002",
};
const NEPAL = { state: "96", country: "Nepal", billingAddress: "1 Ring Road\nKathmandu" };

const invoiceOf = async (id: string) => (await app.api(`/api/invoice/${id}`)).bytes;
const page = async (id: string) => (await app.api(`/booking/${id}`)).words;

it("a company's follows the state of the GSTIN and names the company, on the credit note too", async () => {
  const { id } = await bookAndPay(app, { date: dayAhead(11), state: "29", ...COMPANY });
  const invoice = await pdfText(await invoiceOf(id));
  for (const part of [
    `Billed to ${COMPANY.billingName}`,
    "4 Marine Drive",
    "GSTIN: 27AAPFU0939F1ZV",
    "Place of supply Maharashtra (27)",
    "IGST 18%",
  ]) {
    expect(invoice).toContain(part);
  }
  const { data } = await admin(`/appointments/${id}`);
  expect(data.appointment).toMatchObject({ ...COMPANY, state: "27", name: "Meera Pillai" });
  await admin(`/appointments/${id}/cancel`, { json: {} });
  const note = await eventually(async () => {
    const { status, bytes } = await app.api(`/api/credit-note/${id}`);
    expect(status).toBe(200);
    return pdfText(bytes);
  });
  expect(note).toMatch(/Credited to Sky Lines Pvt. Ltd. .*GSTIN: 27AAPFU0939F1ZV/);

  // The same stands on the booking's page.
  const [, invoiceLines, credit] = /(Invoice AC\S+ Number .*)(Credit note CN\S+ Number .*)/.exec(
    await page(id),
  )!;
  for (const part of [
    `Billed to ${COMPANY.billingName}, 4 Marine Drive, Mumbai 400002 GSTIN 27AAPFU0939F1ZV Place of supply Maharashtra (27) Reverse charge No`,
    "For One-on-one aviation career counselling, ",
    "SAC 999299 Taxable value ₹999.00 IGST 18% ₹179.82 Round-off ₹0.18 Total ₹1,179.00",
  ]) {
    expect(invoiceLines).toContain(part);
  }
  expect(invoiceLines).toMatch(/Issued by [^,]+, .+ GSTIN of the issuer 29\w{13} Billed to /);
  expect(invoiceLines).toMatch(/Date (\d+ \w+ \d+) Paid on \1 /);
  expect(invoiceLines).toMatch(/Paid By UPI, reference \d{12}, payment pay_/);
  expect(credit).toMatch(
    /Total credited ₹1,179\.00 Refund Refund of payment pay_\w+, back the way/,
  );
  expect(credit).toMatch(/This credit note corrects invoice AC\S+ of \d/);
});

it("a customer abroad pays IGST, and documents, page and panel name address and country", async () => {
  const form = { ...bookingForm(), ...NEPAL };
  expect((await app.api("/?index", { form })).status).toBe(303);
  const { id } = await bookAndPay(app, { date: dayAhead(12), ...NEPAL });
  const invoice = await pdfText(await invoiceOf(id));
  for (const part of [
    "Billed to Meera Pillai 1 Ring Road Kathmandu Nepal",
    "Place of supply Outside India (96) (IGST Act, section 13(2))",
    "SUPPLY MEANT FOR EXPORT",
    "IGST 18%",
  ]) {
    expect(invoice).toContain(part);
  }
  expect((await admin(`/appointments/${id}`)).data.appointment).toMatchObject(NEPAL);
  expect(await page(id)).toContain("ON PAYMENT OF INTEGRATED TAX");
  // By the form as by the call.
  const countries = app.db.allRaw("SELECT 1 FROM appointment WHERE country = 'Nepal'");
  expect(countries).toHaveLength(2);
});

it("the logo stands on what is issued with it alone, also once it is taken away", async () => {
  const hasPicture = (pdf: Buffer) => pdf.includes("/Subtype /Image");
  const before = await bookAndPay(app, { date: dayAhead(41) });
  const plain = await invoiceOf(before.id);
  const body = await png(120, 60);
  const headers = { "Content-Type": "image/png" };
  const { data } = await admin("/settings/logo", { method: "PUT", body, headers });
  const during = await bookAndPay(app, { date: dayAhead(42) });
  const issued = await invoiceOf(during.id);
  expect([hasPicture(plain), hasPicture(issued)]).toEqual([false, true]);
  await admin("/settings", { method: "PATCH", json: { logo: null } });
  // Nothing is left in a cache.
  await app.restart();
  expect((await invoiceOf(during.id)).equals(issued)).toBe(true);
  expect((await invoiceOf(before.id)).equals(plain)).toBe(true);
  // As PNG it is for documents and mails, no address of the site.
  const address = `/portraits/${data.settings.logo}/144.webp`;
  expect((await app.api(address)).status).toBe(404);
});
