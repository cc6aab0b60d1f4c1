/**
 * The owner's first day, from an empty database under none but the demanded variables: every step that
 * needs nothing on the server is done in the admin area alone.
 */
import sharp from "sharp";
import { expect, it } from "vitest";
import { createSession } from "#app/auth/session.server.ts";
import { addAccount, bookAndPay, sessionCookie } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { DEMANDED_ALONE } from "#tests/support/demanded.ts";
import { eventually } from "#tests/support/eventually.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";
import { pdfText } from "#tests/support/pdf-text.ts";

const app = sharedApp({ env: DEMANDED_ALONE });
const admin = sharedAdmin(app);

const page = async (path: string) => (await admin.page(path)).text;
const submit = (path: string, form: Record<string, string>) => admin.page(path, { form });
const doneCount = async () => {
  const { html } = await admin.page("/admin");
  return Number(/(\d+) of 11 done/.exec(html)?.[1]);
};
const put = async (path: string, json: object, method = "PUT") => {
  const { httpStatus, text } = await admin(path, { method, json });
  expect(httpStatus, text).toBeLessThan(300);
};

it("begins with nothing done and nobody else's data, for an owner alone", async () => {
  expect(await doneCount()).toBe(0);
  await addAccount(app.db, { role: "staff" });
  const { token } = createSession({ db: app.db, now: Date.now }, "asha", { userAgent: null });
  const { text } = await app.api("/admin", { headers: { Cookie: sessionCookie(token) } });
  expect(text).not.toContain("First steps");
  app.db.runRaw("DELETE FROM admin WHERE id = 'asha'");
  expect(await page("/admin/settings")).not.toContain(app.env.SESSION_SECRET);
});

it.each<[step: string, act: () => unknown]>([
  ["business", () => submit("/admin/settings", { version: "1", businessName: "Day One LLP" })],
  [
    "captain",
    async () => {
      const create = { width: 40, height: 40, channels: 3, background: "#00c800" } as const;
      const body = new Uint8Array(await sharp({ create }).png().toBuffer());
      const png = { "Content-Type": "image/png" };
      await put("/counselors/asha", { name: "Capt. Day One", email: "day@one.example" });
      await admin("/counselors/asha/portrait", { method: "PUT", body, headers: png });
    },
  ],
  ["prices", () => put("/packages/30", { price: 1100 })],
  ["hours", () => submit("/admin/first-steps", { confirm: "hours" })],
  [
    "invitation",
    () => put("/team", { username: "staff", email: "staff@one.example", role: "staff" }, "POST"),
  ],
  ["mail", () => submit("/admin/first-steps", { testMail: "true" })],
])("ticks off %s", async (_, act) => {
  const before = await doneCount();
  await act();
  await eventually(async () => expect(await doneCount()).toBe(before + 1));
});

it("books under what was set up, and so ticks off the provider and the test booking", async () => {
  const before = await doneCount();
  const { id } = await bookAndPay(app, {
    date: dayAhead(8),
    counselor: "Capt. Day One",
    packagePrice: 1100,
    email: "first@visitors.example",
  });
  await eventually(async () => expect(await doneCount()).toBe(before + 2));
  const [mail] = await app.sandbox.mailbox.waitFor({ to: "first@visitors.example" });
  expect(mail?.text).toContain("Day One LLP");
  const { bytes } = await app.api(`/api/invoice/${id}`);
  expect(await pdfText(bytes)).toContain("Day One LLP");
});

it("leaves what stands on the server, and says where; the list can be put away", async () => {
  // Nobody's word makes it live.
  await submit("/admin/first-steps", { confirm: "live" });
  const html = await page("/admin");
  for (const left of ["Send copies off the machine", "Go live", "Connect WhatsApp"]) {
    expect(html).toMatch(new RegExp(`${left}[^<]*</a><span class="sr-only">: to do`));
  }
  expect(await page("/admin/settings")).toMatch(/BACKUP_S3_…<\/span><\/dt><dd[^>]*>Not set/);
  const away = async (is: string) => {
    await submit("/admin/first-steps", { away: is });
    return !(await page("/admin")).includes("First steps");
  };
  expect([await away("true"), await away("false")]).toEqual([true, false]);
});

it("sends twenty test mails a day, and the dashboard says when it is enough", async () => {
  const send = () => submit("/admin/first-steps", { testMail: "true" });
  for (let i = 1; i < 20; i += 1) expect((await send()).httpStatus).toBe(303);
  const last = await send();
  expect(last.led).toEqual([303, "/admin"]);
  const headers = { Cookie: `${sessionCookie(admin.token)}; ${last.cookie}` };
  expect((await admin.page("/admin", { headers })).text).toContain(
    "You have sent 20 test mails today. Please go on tomorrow.",
  );
  const mails = app.db.allRaw("SELECT 1 FROM message WHERE kind = 'test_mail'");
  expect(mails).toHaveLength(20);
});
