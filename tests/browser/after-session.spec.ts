/** What comes before and after a session, for staff with scripts, for the customer without: questions, plan, rating. */
import type { Page } from "@playwright/test";
import { sha256 } from "#app/core/secrets.server.ts";
import { newId } from "#app/model/ids.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { findRatingOfToken, insertRating } from "#db/queries/ratings.server.ts";
import type { TestApp } from "#tests/helpers/app.ts";
import { adminOf, bookAndPay } from "#tests/support/admin.ts";
import { ASHA, dayAhead } from "#tests/support/bookings.ts";
import { notice, openDesk, paidGuest } from "./admin-desk.ts";
import { expect, hold, test } from "./fixtures.ts";

/** A paid session of Asha's that ended half an hour ago. */
async function over(app: TestApp, days: number) {
  const made = await paidGuest(app, { counselor: ASHA, date: dayAhead(days) });
  const endsAt = Date.now() - 1_800_000;
  const times = "UPDATE appointment SET starts_at = ?, ends_at = ? WHERE id = ?";
  app.db.runRaw(times, [endsAt - 1_800_000, endsAt, made.id]);
  return { ...made, stored: () => findAppointment(app.db, made.id)! };
}

/** Gives the booking's e-mail address, as another browser has to. */
async function giveEmail(page: Page, email: string): Promise<void> {
  await page.getByLabel(/^Email/).fill(email);
  await page.keyboard.press("Enter");
}

test("a plan is written, sent and read, and leads to the captain's next session", async ({
  page,
  noJsPage,
  app,
}) => {
  const { id, stored } = await over(app, 11);
  await openDesk(page, app, `/admin/appointments/${id}`);
  await page.getByRole("link", { name: "Write the plan" }).click();
  await page.getByLabel(/What you agreed on/).fill("First the medical.\n\n- Book it\n- Pass it");
  await page.getByRole("button", { name: "Save as a draft" }).click();
  await expect(notice(page, "Plan Saved")).toBeVisible();
  await noJsPage.goto(`/booking/${id}`);
  await expect(noJsPage.getByRole("heading", { name: "Your plan" })).toHaveCount(0);
  const written = "First the medical.\n\n- Book it\n- Pass it, with glasses";
  await page.getByLabel(/What you agreed on/).fill(written);
  await page.getByRole("button", { name: "Save as a draft" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "with glasses" })).toBeVisible();
  await page.getByRole("button", { name: "Send to the customer" }).click();
  await expect(notice(page, "Plan Sent")).toBeVisible();

  await noJsPage.reload();
  await expect(noJsPage.getByText("First the medical.")).toHaveCount(0);
  await noJsPage.getByRole("link", { name: "Show the plan" }).click();
  await giveEmail(noJsPage, stored().contact.email);
  await expect(noJsPage.getByText("First the medical.")).toBeVisible();
  await expect(noJsPage.getByRole("listitem").filter({ hasText: "Book it" })).toBeVisible();
  await noJsPage.getByRole("link", { name: "Book the next session" }).click();
  await expect(noJsPage.locator('input[name="counselor"][value*="Asha"]')).toBeChecked();
});

test("what is typed while a plan is being saved stays, under its next version", async ({
  page,
  app,
}) => {
  const { id } = await over(app, 13);
  await openDesk(page, app, `/admin/appointments/${id}/plan`);
  const text = page.getByLabel(/What you agreed on/);
  const save = page.getByRole("button", { name: "Save as a draft" });
  await text.fill("First.");
  const release = await hold(page, /plan\.data/);
  await save.click();
  await expect(page.getByRole("button", { name: "Saving..." })).toBeVisible();
  await text.fill("First. Then more.");
  await release();
  await expect(notice(page, "Plan Saved")).toBeVisible();
  await expect(page.getByRole("paragraph").filter({ hasText: "First." })).toBeVisible();
  await expect(text).toHaveValue("First. Then more.");
  await save.click();
  await expect(page.getByRole("paragraph").filter({ hasText: "Then more." })).toBeVisible();
});

test("a rating is given, hidden for a reason, changed and withdrawn", async ({
  page,
  noJsPage,
  app,
  problems,
}) => {
  problems.allow(/status of 400/);
  const { id, stored } = await over(app, 12);
  const [first] = stored().contact.name.split(" ");
  const token = newId();
  const asked = { id: newId(), appointmentId: id, counselorKey: "asha", tokenHash: sha256(token) };
  insertRating(app.db, { ...asked, askedAt: Date.now() });
  await noJsPage.goto(`/rating/${token}`);
  await noJsPage.getByLabel("2 of 5").check();
  await noJsPage.getByLabel(/In your words/).fill("Write to me at home.");
  await noJsPage.getByLabel(/Show my words/).check();
  await noJsPage.getByRole("button", { name: "Send my rating" }).click();
  await expect(noJsPage.getByRole("status")).toContainText("Thank you");

  const text = () => noJsPage.getByText("Write to me at home.");
  await noJsPage.goto("/captains/asha");
  await expect(text()).toBeVisible();
  await openDesk(page, app, "/admin/ratings");
  const card = page.getByRole("listitem").filter({ hasText: "Write to me at home." });
  await expect(card).toContainText(`${first}. On the captain's page.`);
  await card.getByRole("button", { name: /^Hide the text/ }).click();
  await expect(card.getByText("Please choose a reason")).toBeVisible();
  await card.getByLabel("Reason to hide the text").selectOption("Private data");
  await card.getByRole("button", { name: /^Hide the text/ }).click();
  await expect(notice(page, "Text Hidden")).toBeVisible();
  await noJsPage.reload();
  await expect(text()).toHaveCount(0);
  await expect(noJsPage.getByText("The text of 1 rating is hidden")).toBeVisible();

  await noJsPage.goto(`/rating/${token}`);
  await expect(noJsPage.getByLabel("2 of 5")).toBeChecked();
  await noJsPage.getByRole("button", { name: "Withdraw it" }).click();
  expect(findRatingOfToken(app.db, sha256(token))).toMatchObject({ stars: null, text: null });
  await page.reload();
  await expect(page.getByText("No ratings yet.")).toBeVisible();
});

test("questions are answered after paying, and what is demanded is asked for at its field", async ({
  noJsPage: page,
  app,
  problems,
}) => {
  problems.allow(/status of 400/);
  const owner = await adminOf(app);
  const questions = [
    { label: "Your class", kind: "choice", choices: ["11", "12"], required: true },
    { label: "What have you tried?", kind: "text" },
  ];
  await owner("/packages/45", { method: "PUT", json: { questions } });
  const { id, body } = await bookAndPay(app, { date: dayAhead(13), package: 45 });
  await page.goto(`/booking/${id}`);
  await page.getByRole("link", { name: /questions/ }).click();
  await giveEmail(page, body.email);
  await page.getByLabel("What have you tried?").fill("Two schools.");
  await page.getByRole("button", { name: "Save your answers" }).click();
  const error = page.locator("#prepare-answerA-error");
  await expect(error).toBeVisible();
  await expect(page.getByLabel("What have you tried?")).toHaveValue("Two schools.");
  await page.getByLabel("Your class").selectOption("12");
  await page.getByRole("button", { name: "Save your answers" }).click();
  await expect(page.getByText("You have answered.")).toBeVisible();
  const { data } = await owner(`/appointments/${id}`);
  expect(data.answers).toEqual([
    { label: "Your class", answer: "12" },
    { label: "What have you tried?", answer: "Two schools." },
  ]);
});
