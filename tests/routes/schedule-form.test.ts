/** The form of weekly hours without scripts: from and to, single times, and what a refusal leaves typed. */
import { expect, it } from "vitest";
import { WEEKDAYS } from "#app/model/week.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp();
const admin = sharedAdmin(app);

const PATH = "/admin/schedule/rohan";
const GAPS = /default times have gaps\. Saving from and to fills them/;
const hours = async () => (await admin("/counselors/rohan/hours")).data.hours;
const page = async () => (await admin.page(PATH)).text;
/** Every day from 9 to 16 o'clock, as a form shows the default times, but for the changes. */
const save = async (changes: Record<string, string> = {}) => {
  const days = WEEKDAYS.flatMap((day) => [
    [`${day}From`, "09:00"],
    [`${day}To`, "16:00"],
  ]);
  const { version, bufferMinutes } = await hours();
  const form = {
    ...{ intent: "save", as: "ranges", version, bufferMinutes, ...Object.fromEntries(days) },
    ...changes,
  };
  return admin.page(PATH, { form });
};
const chosen = (html: string, name: string) =>
  new RegExp(`<select[^>]*name="${name}".*?</select>`, "s")
    .exec(html)?.[0]
    .match(/<option[^>]*selected[^>]*value="([^"]*)"|<option value="([^"]*)" selected/)
    ?.slice(1)
    .find(Boolean);
const way = (html: string) =>
  /<input[^>]*name="as"[^>]*checked[^>]*>/.exec(html)?.[0].match(/value="(\w+)"/)?.[1];

it("begins with from and to, and says that saving so fills the gaps of the default times", async () => {
  const html = await page();
  expect([way(html), chosen(html, "monFrom"), chosen(html, "monTo")]).toEqual([
    ...["ranges", "09:00", "16:00"],
  ]);
  expect(html).toMatch(GAPS);
});

it("leaves the default times as they are where another buffer alone is saved", async () => {
  expect((await save({ bufferMinutes: "15" })).httpStatus).toBe(303);
  expect(await hours()).toMatchObject({ week: null, bufferMinutes: 15 });
});

it("keeps a range that ends before it begins as it was typed", async () => {
  const refused = await save({ tueFrom: "14:00", tueTo: "11:00" });
  expect(refused.httpStatus).toBe(400);
  expect(refused.text).toContain("Please let Tuesday end after it begins");
  const seen = ["tueFrom", "tueTo", "wedFrom", "wedTo"].map((name) => chosen(refused.text, name));
  expect([way(refused.text), ...seen]).toEqual(["ranges", "14:00", "11:00", "09:00", "16:00"]);
});

it("stays with single times where they were given, and begins with them where they have gaps", async () => {
  const single = { as: "single", mon: "09:00" };
  const refused = await save({ ...single, bufferMinutes: "soon" });
  expect([refused.httpStatus, way(refused.text)]).toEqual([400, "single"]);
  await admin("/counselors/rohan/hours", {
    method: "PUT",
    json: {
      week: Object.fromEntries(WEEKDAYS.map((day) => [day, ["09:00", "11:00"]])),
      bufferMinutes: 0,
    },
  });
  const html = await page();
  expect(way(html)).toBe("single");
  expect(html).toContain("These times have gaps");
});

it("keeps its version through a refusal, so that what another admin saved is not overwritten", async () => {
  const { version } = await hours();
  const other = { week: null, bufferMinutes: 45, version };
  await admin("/counselors/rohan/hours", { method: "PUT", json: other });
  const refused = await save({ version, bufferMinutes: "soon" });
  expect(refused.httpStatus).toBe(400);
  const kept = /name="version" value="(\d+)"/.exec(refused.text)![1]!;
  const again = await save({ version: kept, bufferMinutes: "10" });
  expect([again.httpStatus, (await hours()).bufferMinutes]).toEqual([409, 45]);
});

it("goes back to the default times whatever range is typed", async () => {
  const back = await save({ intent: "default", tueFrom: "14:00", tueTo: "11:00" });
  expect([back.httpStatus, (await hours()).week]).toEqual([303, null]);
});
