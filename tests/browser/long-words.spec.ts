/** One long word, a pasted link or a large sum: it breaks, and nothing is pushed out of its card or page. */
import { addDays, dateInIndia, MINUTE } from "#app/model/dates.ts";
import { findCustomerId } from "#db/queries/customers.server.ts";
import { insertHelpCall } from "#db/queries/help-calls.server.ts";
import { adminOf, beginAt } from "#tests/support/admin.ts";
import { addRow } from "#tests/support/stored-rows.ts";
import { confirmedGuest, guest, listOf, openDesk, rowOf } from "./admin-desk.ts";
import { expect, test } from "./fixtures.ts";
import { overflowOf } from "./stage.ts";

const WORD = "Venkatanarasimharajuvaripeta";
const CAPTAIN = `Capt. ${WORD} Iyer`;
const LINK = `https://drive.example.com/folders/${"a1B2c3D4".repeat(8)}`;

test("nothing is pushed out by a captain's name", async ({ page, app }) => {
  app.db.runRaw("UPDATE counselor SET name = ? WHERE key = 'asha'", [CAPTAIN]);
  const { name, email } = guest({ email: "meera.subramaniam@example-school.in" });
  await confirmedGuest(app, { name, email: email!, counselor: CAPTAIN });
  await page.setViewportSize({ width: 320, height: 740 });
  await page.goto("/");
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  await openDesk(page, app, listOf(name));
  const actions = rowOf(page, name).getByRole("link", { name: `Delete: ${name}` });
  for (const width of [1024, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const { x, width: size } = (await actions.boundingBox())!;
    expect([width, x + size <= width]).toEqual([width, true]);
    expect([width, await overflowOf(page)]).toEqual([width, 0]);
  }
  await page.goto(`/admin/customers/${findCustomerId(app.db, email!)}`);
  for (const width of [768, 1024]) {
    await page.setViewportSize({ width, height: 800 });
    expect([width, await overflowOf(page)]).toEqual([width, 0]);
  }
});

test("a link pasted as a reason breaks in the activity log", async ({ page, app }) => {
  const { id } = await confirmedGuest(app);
  const admin = await adminOf(app);
  await admin(`/appointments/${id}/cancel`, { json: { reason: LINK } });
  await openDesk(page, app, "/admin/activity");
  await expect(page.getByText(LINK.slice(0, 70)).first()).toBeVisible();
  for (const width of [320, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect([width, await overflowOf(page)]).toEqual([width, 0]);
  }
});

test("sums above a lakh stay in their card on a phone", async ({ page, app }) => {
  const today = dateInIndia(Date.now());
  for (const [i, on_date] of [today, addDays(`${today.slice(0, 7)}-01`, -1)].entries()) {
    addRow(app.db, "appointment", `lakh${i}`, { on_date, kept_paise: 211_815_67 });
  }
  await openDesk(page, app, "/admin/insights");
  const card = page.getByRole("region", { name: "This month and last month" });
  for (const width of [320, 360]) {
    await page.setViewportSize({ width, height: 740 });
    const [inner, outer] = [await card.getByRole("table").boundingBox(), await card.boundingBox()];
    expect([width, inner!.x + inner!.width <= outer!.x + outer!.width]).toEqual([width, true]);
    expect([width, await overflowOf(page)]).toEqual([width, 0]);
  }
});

test("the number to call and what can be ticked keep their shape", async ({ page, app }) => {
  const { id } = await confirmedGuest(app, { name: WORD + WORD });
  const startsAt = Date.now() - 6 * MINUTE;
  beginAt(app, id, startsAt);
  insertHelpCall(app.db, { id, startsAt }, { side: "customer", at: Date.now() });
  await page.setViewportSize({ width: 320, height: 740 });
  await openDesk(page, app);
  for (const path of ["/admin", `/admin/appointments/${id}`]) {
    await page.goto(path);
    const call = page.getByRole("link", { name: /^Call Venkat/ });
    const { x, width } = (await call.boundingBox())!;
    expect([path, x + width <= 320]).toEqual([path, true]);
    expect([path, await overflowOf(page)]).toEqual([path, 0]);
  }
  await page.goto("/admin/appointments/new");
  const sizes = await page
    .locator("main :is(input[type=radio], input[type=checkbox])")
    .evaluateAll((all) => all.map((one) => (one as HTMLElement).offsetWidth).filter(Boolean));
  expect(new Set(sizes)).toEqual(new Set([20]));
});
