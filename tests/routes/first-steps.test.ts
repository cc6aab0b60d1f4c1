/** The list of first steps: it knows by itself what is done, and goes when all is or it is put away. */
import sharp from "sharp";
import { expect, it } from "vitest";
import { createSession } from "#app/auth/session.server.ts";
import { addAccount, sessionCookie } from "#tests/support/admin.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp();
const admin = sharedAdmin(app);

const page = async (token = admin.token) =>
  (await app.api("/admin", { headers: { Cookie: sessionCookie(token) } })).text;
const done = async () => {
  const html = await page();
  return [
    ...html.matchAll(
      />([^<]+)<\/a><span class="sr-only">: done|<p class="text-muted">([^<]+)<span class="sr-only">: done/g,
    ),
  ].map(([, linked, plain]) => linked ?? plain);
};
const submit = (fields: Record<string, string>) =>
  admin.page("/admin/first-steps", { form: fields });

it("is an owner's alone, and begins with nothing of the business done", async () => {
  expect(await done()).toEqual(["Connect WhatsApp, if you want it"]);
  await addAccount(app.db, { id: "staff", username: "staff", email: "s@b.in", role: "staff" });
  const { token } = createSession({ db: app.db, now: Date.now }, "staff", { userAgent: null });
  expect(await page(token)).not.toContain("First steps");
});

it("sees each step done, or takes the owner's word", async () => {
  // The account of the test before is a second one.
  expect(await done()).toContain("Invite somebody");
  await admin("/settings", { method: "PATCH", json: { businessName: "Real Aviation LLP" } });
  expect(await done()).toContain("Say who you are");
  const create = { width: 40, height: 40, channels: 3, background: "#00c800" } as const;
  const body = new Uint8Array(await sharp({ create }).png().toBuffer());
  await admin("/counselors/asha/portrait", {
    method: "PUT",
    body,
    headers: { "Content-Type": "image/png" },
  });
  expect(await done()).not.toContain("Enter a captain");
  await admin("/counselors/asha", { method: "PUT", json: { sample: false } });
  expect(await done()).toContain("Enter a captain");
  for (const confirm of ["prices", "hours", "live"]) await submit({ confirm });
  const words = await done();
  expect(words).toEqual(expect.arrayContaining(["Set the prices", "Set the hours"]));
  expect(words).not.toContain("Go live");
});

it("is put away, and brought back", async () => {
  expect(await page()).toContain("First steps");
  await submit({ away: "true" });
  expect(await page()).not.toContain("First steps");
  await submit({ away: "false" });
  expect(await page()).toContain("First steps");
});
