/** A document keeps the logo that it was issued with, or none. */
import sharp from "sharp";
import { expect, it } from "vitest";
import { bookAndPay } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp();
const admin = sharedAdmin(app);

async function putLogo(background: string) {
  const create = { width: 120, height: 60, channels: 4, background } as const;
  const body = new Uint8Array(await sharp({ create }).png().toBuffer());
  const headers = { "Content-Type": "image/png" };
  const { data } = await admin("/settings/logo", { method: "PUT", body, headers });
  return data.settings.logo as string;
}

async function invoiceOf(id: string) {
  const answer = await fetch(`${app.origin}/api/invoice/${id}`);
  return Buffer.from(await answer.arrayBuffer());
}
const hasPicture = (pdf: Buffer) => pdf.includes("/Subtype /Image");

it("stands on what is issued with it alone, also when another took its place", async () => {
  const before = await bookAndPay(app, { date: dayAhead(41) });
  const plain = await invoiceOf(before.id);
  expect(hasPicture(plain)).toBe(false);
  const logo = await putLogo("#00c800");
  const during = await bookAndPay(app, { date: dayAhead(42) });
  const issued = await invoiceOf(during.id);
  expect(hasPicture(issued)).toBe(true);
  await putLogo("#c80000");
  const other = await bookAndPay(app, { date: dayAhead(43) });
  await admin("/settings", { method: "PATCH", json: { logo: null } });
  const after = await bookAndPay(app, { date: dayAhead(44) });
  // Nothing is left in a cache.
  await app.restart();
  expect((await invoiceOf(during.id)).equals(issued)).toBe(true);
  expect((await invoiceOf(before.id)).equals(plain)).toBe(true);
  expect(hasPicture(await invoiceOf(after.id))).toBe(false);
  expect(hasPicture(await invoiceOf(other.id))).toBe(true);
  // As PNG it is for documents and mails, no address of the site.
  expect((await fetch(`${app.origin}/portraits/${logo}/144.webp`)).status).toBe(404);
});
