/** A customer outside India: from the booking call and the form to the documents and the workbook. */
import { expect, it } from "vitest";
import { adminOf, bookAndPay } from "#tests/support/admin.ts";
import { bookingBody, dayAhead } from "#tests/support/bookings.ts";
import { sharedApp } from "#tests/support/hooks.ts";
import { pdfText } from "#tests/support/pdf-text.ts";

const app = sharedApp();

const NEPAL = { state: "96", country: "Nepal", billingAddress: "1 Ring Road\nKathmandu" };

it("a customer abroad pays IGST, and documents, page and panel name address and country", async () => {
  const { id } = await bookAndPay(app, { date: dayAhead(11), ...NEPAL });
  const invoice = await pdfText((await app.api(`/api/invoice/${id}`)).bytes);
  for (const part of [
    "Billed to Meera Pillai 1 Ring Road Kathmandu Nepal",
    "Place of supply Outside India (96) (IGST Act, section 13(2))",
    "SUPPLY MEANT FOR EXPORT",
    "IGST 18%",
  ]) {
    expect(invoice).toContain(part);
  }
  const admin = await adminOf(app);
  expect((await admin(`/appointments/${id}`)).data.appointment).toMatchObject(NEPAL);
  const page = await (await fetch(`${app.origin}/booking/${id}`)).text();
  expect(page).toContain("ON PAYMENT OF INTEGRATED TAX");
});

it("the form asks for the address at a foreign phone number, and a call without one is refused", async () => {
  const { packagePrice: _, ...fields } = bookingBody({ phone: "+977 980 1234567" });
  const post = (changes: object) =>
    app.api("/?index", {
      form: { ...fields, package: "30", ...changes },
      headers: { Accept: "text/html" },
    });
  const asked = await post({});
  expect(asked.httpStatus).toBe(400);
  expect(asked.text).toContain("This phone number is not Indian.");
  expect((await post(NEPAL)).httpStatus).toBe(303);
  const stored = app.db.firstRaw(
    "SELECT state_code, country, billing_address FROM appointment WHERE email = ?",
    [fields.email],
  );
  expect(stored).toEqual({
    ...{ state_code: "96", country: "Nepal", billing_address: expect.stringContaining("Ring") },
  });
  const call = await app.api("/api/appointments", { json: bookingBody({ state: "96" }) });
  expect(call).toMatchObject({
    httpStatus: 400,
    errors: { country: [expect.any(String)], billingAddress: [expect.any(String)] },
  });
  const silent = await app.api("/api/appointments", {
    json: bookingBody({ phone: "+977 980 1234567", date: dayAhead(12) }),
  });
  expect(silent.httpStatus).toBe(201);
});
