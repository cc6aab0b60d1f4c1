/** What staff and captains do on a Monday, with scripts and without: the late payer, the rest of today, hours. */
import type { Page } from "@playwright/test";
import { dateInIndia, instantOf } from "#app/model/dates.ts";
import { WEEKDAYS } from "#app/model/week.ts";
import { listBlocks } from "#db/queries/availability.server.ts";
import { startTestApp, type TestApp } from "#tests/helpers/app.ts";
import { adminOf, book, endHold } from "#tests/support/admin.ts";
import { captainAccount } from "#tests/support/captain.ts";
import { guest, notice, openDesk, signInByForm } from "./admin-desk.ts";
import { expect, test } from "./fixtures.ts";

const HOLD = "Hold again and send the link";

/** Booked and not paid, and its time is nobody's by now. */
async function latePayer(app: TestApp) {
  const { id, body } = await book(app, guest());
  endHold(app, id);
  app.db.runRaw("UPDATE appointment SET created_at = 0 WHERE id = ?", [id]);
  return { id, ...body };
}

async function holdAgain(page: Page, id: string) {
  await page.goto(`/admin/appointments/${id}`);
  await page.getByRole("link", { name: HOLD }).click();
  await page.getByRole("button", { name: HOLD }).click();
}

for (const scripts of ["with", "without"]) {
  test(`a late payer is held again, and pays by the link, ${scripts} scripts`, async ({
    page,
    noJsPage,
    app,
    problems,
  }) => {
    // A refusal is a 409.
    problems.allow(/status of 409/);
    const desk = scripts === "with" ? page : noJsPage;
    const { id, name, email, date, timeSlot } = await latePayer(app);
    await openDesk(desk, app);
    await holdAgain(desk, id);
    await expect(notice(desk, "Held Again")).toBeVisible();
    const [mail] = await app.sandbox.mailbox.waitFor({ to: email });
    const link = `${app.origin}/booking/${id}`;
    expect(JSON.stringify(app.sandbox.mailbox.find(mail!.n))).toContain(link);
    await desk.context().clearCookies();
    await desk.goto(link);
    await expect(desk.getByText(/Start paying by/)).toBeVisible();
    await expect(desk.getByRole("button", { name: /^Pay/ })).toBeVisible();

    // Another was first: the dialog says so, and stays.
    const gone = await latePayer(app);
    await book(app, guest({ date: gone.date, timeSlot: gone.timeSlot }));
    expect([gone.date, gone.timeSlot]).not.toEqual([date, timeSlot]);
    await openDesk(desk, app);
    await holdAgain(desk, gone.id);
    await expect(desk.getByRole("alert")).toContainText("Not Held Again");
    await expect(desk.getByRole("button", { name: HOLD })).toBeVisible();
    expect(name).not.toBe(gone.name);
  });
}

test("a captain blocks the rest of today, with scripts and without", async ({ page, noJsPage }) => {
  const today = dateInIndia(Date.now());
  const now = instantOf(today, "14:14");
  const app = await startTestApp({ now: () => now, env: { LOG_LEVEL: "fatal" } });
  try {
    const account = await captainAccount(app);
    const blocked = () => listBlocks(app.db, "asha", today).map(({ timeSlot }) => timeSlot);
    for (const one of [noJsPage, page]) {
      await one.setViewportSize({ width: 360, height: 740 });
      await one.goto(`${app.origin}/admin`);
      await signInByForm(one, account);
      await one.getByLabel("Block today from").selectOption("5:00 PM");
      await one.getByRole("button", { name: "Block", exact: true }).click();
      await expect(notice(one, "Slots Blocked")).toBeVisible();
      expect(blocked()[0]).toBe("17:00");
      await one.goto(`${app.origin}/admin`);
      await one.getByRole("button", { name: "Block from now" }).click();
      await expect.poll(() => blocked()[0]).toMatch(/^14:/);
      await one.goto(`${app.origin}/admin/slots?tab=block&date=${today}`);
      await one.getByRole("button", { name: "Unblock the whole day" }).click();
      await expect.poll(blocked).toEqual([]);
    }
  } finally {
    await app.stop();
  }
});

test("weekly hours are from and to, and the grid stands behind single times", async ({
  page,
  noJsPage,
  app,
}) => {
  const admin = await adminOf(app);
  const week = async () => (await admin("/counselors/asha/hours")).data.hours.week;
  const usual = Object.fromEntries(WEEKDAYS.map((day) => [day, ["09:00"]]));
  for (const one of [page, noJsPage]) {
    await admin("/counselors/asha/hours", {
      method: "PUT",
      json: { week: usual, bufferMinutes: 0 },
    });
    await openDesk(one, app, "/admin/schedule/asha");
    const cell = one.getByRole("checkbox", { name: "Monday 3:00 PM" });
    await expect(cell).toBeHidden();
    await one.getByLabel("Monday: first start").selectOption("10:00 AM");
    await one.getByLabel("Monday: last start").selectOption("11:30 AM");
    await one.getByRole("button", { name: "Save Hours" }).click();
    await expect(notice(one, "Hours Saved")).toBeVisible();
    expect(await week()).toMatchObject({
      mon: ["10:00", "10:30", "11:00", "11:30"],
      tue: ["09:00"],
    });
    await one.getByLabel("Single times").check();
    await expect(one.getByLabel("Monday: first start")).toBeHidden();
    await cell.check();
    await one.getByRole("button", { name: "Save Hours" }).click();
    await expect(notice(one, "Hours Saved")).toBeVisible();
    await expect.poll(async () => (await week()).mon).toContain("15:00");
  }
});
