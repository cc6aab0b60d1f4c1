/** What is kept from an address stands in the appointment, counted and with its reason. */
import { expect, it } from "vitest";
import { adminOf, book, sessionCookie, signIn } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp();

it("says how many messages were held back, and why, to call and page", async () => {
  const { id, body } = await book(app, { date: dayAhead(8) });
  await fetch(`${app.origin}/booking/${id}/cancel`, {
    method: "POST",
    body: new URLSearchParams({ email: body.email }),
  });
  const { data } = await (await adminOf(app))(`/appointments/${id}`);
  const kept = { kind: "booking_cancelled", state: "held_back", attempts: 0 };
  expect(data.messages).toMatchObject([
    { ...kept, channel: "email", lastError: expect.stringContaining("changed on its own page") },
    { ...kept, channel: "whatsapp", lastError: expect.stringContaining("is not paid") },
  ]);
  const { token } = (await signIn(app)).data;
  const page = await fetch(`${app.origin}/admin/appointments/${id}`, {
    headers: { Cookie: sessionCookie(token) },
  });
  const text = (await page.text()).replaceAll("<!-- -->", "");
  expect(text).toContain("2 of 2 held back.");
  for (const { lastError } of data.messages) expect(text).toContain(lastError);
});
