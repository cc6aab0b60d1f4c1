/** Booking for a student: with scripts and without, what is asked, and kept after a reload. */
import type { Page } from "@playwright/test";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { fillForm, submit } from "./booking-steps.ts";
import { expect, test } from "./fixtures.ts";

async function forSomeoneElse(page: Page): Promise<void> {
  await expect(page.getByLabel("Student’s name")).toBeHidden();
  await page.getByLabel("For someone else").check();
  await page.getByLabel("Student’s name").fill("Kabir Rao");
  await page.getByLabel("The student is under 18").check();
}

test("with scripts: what is missing is said at its field, and a reload keeps the choice", async ({
  page,
  app,
}) => {
  const who = await fillForm(page, dayAhead(33), "10:00 AM");
  await forSomeoneElse(page);
  // The pass names who comes.
  const pass = page.getByRole("complementary", { name: "Your session and price" });
  await expect(pass.getByText("Kabir Rao")).toBeVisible();
  await submit(page);
  await expect(page.getByText("Please say how you are related").first()).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("For someone else")).toBeChecked();
  await expect(page.getByLabel("Student’s name")).toHaveValue("Kabir Rao");
  await expect(page.getByLabel("The student is under 18")).toBeChecked();
  await page.getByLabel("Relation to the student").fill("aunt");
  await submit(page);
  await expect
    .poll(() => {
      const made = app.db.firstRaw<{ id: string }>("SELECT id FROM appointment WHERE email = ?", [
        who.email,
      ]);
      return made && findAppointment(app.db, made.id)?.student;
    })
    .toEqual({ name: "Kabir Rao", under18: true, relation: "aunt" });
});

test("without scripts: only the choice is shown until somebody else is chosen", async ({
  noJsPage: page,
}) => {
  await page.goto("/");
  await forSomeoneElse(page);
  await page.getByLabel("For me").check();
  await expect(page.getByLabel("Student’s name")).toBeHidden();
});
