/** An invoice for a company: from the booking call and the form to the document. */
import { expect, it } from "vitest";
import { adminOf, bookAndPay } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { sharedApp } from "#tests/support/hooks.ts";
import { pdfText } from "#tests/support/pdf-text.ts";

const app = sharedApp();

const COMPANY = {
  gstin: "27AAPFU0939F1ZV",
  billingName: "Sky Lines Pvt. Ltd.",
  billingAddress: "4 Marine Drive\nMumbai 400002",
};

const printed = async (path: string) => pdfText((await app.api(path)).bytes);

it("follows the state of the GSTIN and names the company, on the credit note too", async () => {
  const { id } = await bookAndPay(app, { date: dayAhead(11), state: "29", ...COMPANY });
  const invoice = await printed(`/api/invoice/${id}`);
  for (const part of [
    `Billed to ${COMPANY.billingName}`,
    "4 Marine Drive",
    "GSTIN: 27AAPFU0939F1ZV",
    "Place of supply Maharashtra (27)",
    "IGST 18%",
  ]) {
    expect(invoice).toContain(part);
  }
  const admin = await adminOf(app);
  const { data } = await admin(`/appointments/${id}`);
  expect(data.appointment).toMatchObject({ ...COMPANY, state: "27", name: "Meera Pillai" });
  await admin(`/appointments/${id}/cancel`, { json: {} });
  await eventually(async () => {
    expect((await fetch(`${app.origin}/api/credit-note/${id}`)).status).toBe(200);
  });
  const note = await printed(`/api/credit-note/${id}`);
  expect(note).toContain(`Credited to ${COMPANY.billingName}`);
  expect(note).toContain("GSTIN: 27AAPFU0939F1ZV");

  // The same stands on the booking's page.
  const html = await (await fetch(`${app.origin}/booking/${id}`)).text();
  const page = html
    .replaceAll("<!-- -->", "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");
  const [, invoiceLines, credit] = /(Invoice AC\S+ Number .*)(Credit note CN\S+ Number .*)/.exec(
    page,
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
