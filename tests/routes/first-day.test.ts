/** The owner's first steps as the dashboard shows them, from an empty database; what is set up is in settings.test.ts and admin-catalogue.test.ts. */
import { expect, it } from "vitest";
import { testEnvironment } from "#tests/helpers/environment.ts";
import { eventually } from "#tests/support/eventually.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";
import { staffOf } from "#tests/support/staff.ts";

/** The first table of `docs/operations.md`, without the groups that may be left out. */
const DEMANDED =
  /^(NODE_ENV|HOST|PORT|PUBLIC_URL|DATABASE_PATH|BACKUP_DIR|SESSION_SECRET|ADMIN_\w+|RAZORPAY_\w+|SMTP_URL|MAIL_FROM|BUSINESS_\w+|GRIEVANCE_CONTACT)$/;

/** With these and the sandbox's addresses alone. */
const app = sharedApp({
  env: (sandbox) =>
    Object.fromEntries(
      Object.keys(testEnvironment(0, "", sandbox))
        .filter((name) => !DEMANDED.test(name))
        .map((name) => [name, undefined]),
    ),
});
const admin = sharedAdmin(app);

const page = async (path: string) => (await admin.page(path)).html;
const submit = (form: Record<string, string>) => admin.page("/admin/first-steps", { form });
const doneCount = async () => Number(/(\d+) of 11 done/.exec(await page("/admin"))?.[1]);

it("begins with nothing done and nobody else's data, for an owner alone", async () => {
  expect(await doneCount()).toBe(0);
  const staff = await staffOf(app);
  expect((await staff.page("/admin")).text).not.toContain("First steps");
  app.db.runRaw("DELETE FROM admin WHERE id = 'desk'");
  expect(await page("/admin/settings")).not.toContain(app.env.SESSION_SECRET);
});

it.each([
  ["the hours that an owner confirms", { confirm: "hours" }],
  ["the mail once a test mail has arrived", { testMail: "true" }],
])("ticks off %s", async (_, form) => {
  const before = await doneCount();
  await submit(form);
  await eventually(async () => expect(await doneCount()).toBe(before + 1));
});

it("leaves what stands on the server, and says where; the list can be put away", async () => {
  // Nobody's word makes it live.
  await submit({ confirm: "live" });
  const html = await page("/admin");
  for (const left of ["Send copies off the machine", "Go live", "Connect WhatsApp"]) {
    expect(html).toMatch(new RegExp(`${left}[^<]*</a><span class="sr-only">: to do`));
  }
  expect(await page("/admin/settings")).toMatch(/BACKUP_S3_…<\/span><\/dt><dd[^>]*>Not set/);
  const away = async (is: string) => {
    await submit({ away: is });
    return !(await page("/admin")).includes("First steps");
  };
  expect([await away("true"), await away("false")]).toEqual([true, false]);
});

it("sends twenty test mails a day, and the dashboard says when it is enough", async () => {
  const send = () => submit({ testMail: "true" });
  for (let i = 1; i < 20; i += 1) expect((await send()).status).toBe(303);
  const last = await send();
  expect(last.led).toEqual([303, "/admin"]);
  expect((await admin.after(last, "/admin")).text).toContain(
    "You have sent 20 test mails today. Please go on tomorrow.",
  );
  const mails = app.db.allRaw("SELECT 1 FROM message WHERE kind = 'test_mail'");
  expect(mails).toHaveLength(20);
});
