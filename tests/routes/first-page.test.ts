/** What the head of the first page names: a time, or why there is none. */
import { expect, it } from "vitest";
import { instantOf } from "#app/model/dates.ts";
import { addLeave } from "#tests/support/bookings.ts";
import { sharedApp } from "#tests/support/hooks.ts";

let clock = instantOf("2027-03-01", "06:00");
const app = sharedApp({ now: () => clock, env: { WORKER_INTERVAL_MS: "60000" } });

/** The head of the page as text. */
async function head(): Promise<string> {
  const html = await (await fetch(app.origin)).text();
  const [, section = ""] = /aria-labelledby="promise">(.*?)<\/section>/s.exec(html) ?? [];
  return section.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
}

it("names the earliest free time and, where it cannot be refunded, the first that can", async () => {
  expect(await head()).toMatch(
    /9:00 AM Mon, 1 Mar 2027 Capt\. Asha Sample Begins too soon to be moved or refunded online 9:00 AM Tue, 2 Mar 2027 Capt\. Asha Sample First with free cancellation/,
  );
  // In half an hour it would be too late for the next day's first time.
  clock = instantOf("2027-03-01", "08:40");
  expect(await head()).toMatch(/10:00 AM Mon, 1 Mar .* 10:00 AM Tue, 2 Mar/);
});

it("names one where it can be refunded", async () => {
  addLeave(app.db, "2027-03-01", "2027-03-03");
  const text = await head();
  expect(text).toContain("9:00 AM Thu, 4 Mar 2027");
  expect(text).not.toMatch(/too soon|free cancellation/);
  app.db.runRaw("DELETE FROM leave");
});

it("offers no session where nobody can be booked, and says how to be reached", async () => {
  expect(await head()).toContain("Choose your session");
  app.db.runRaw("UPDATE counselor SET active = 0");
  const text = await head();
  expect(text).toContain("No captain can be booked at the moment.");
  expect(text).toContain(app.env.BUSINESS_EMAIL);
  expect(text).not.toContain("Choose your session");
  app.db.runRaw("UPDATE counselor SET active = 1");
  addLeave(app.db, "2027-03-01", "2027-12-31");
  expect(await head()).toContain("No times are free at the moment.");
  expect(await head()).not.toContain("Choose your session");
});
