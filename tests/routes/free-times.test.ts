/** The times that the first page offers, or why there is none; one can be chosen while it is free and sold. */
import { afterEach, describe, expect, it } from "vitest";
import { instantOf } from "#app/model/dates.ts";
import { ASHA, addBlock, addLeave, bookingForm, ROHAN } from "#tests/support/bookings.ts";
import { filledForm } from "#tests/support/filled-form.ts";
import { sharedApp } from "#tests/support/hooks.ts";

let clock = instantOf("2027-03-01", "06:00");
const app = sharedApp({ now: () => clock, env: { WORKER_INTERVAL_MS: "60000" } });

afterEach(() => {
  clock = instantOf("2027-03-01", "06:00");
  for (const table of ["block", "leave"]) app.db.runRaw(`DELETE FROM ${table}`);
  app.db.runRaw("UPDATE owner_settings SET saved = '{}'");
  for (const table of ["counselor", "package"]) app.db.runRaw(`UPDATE ${table} SET active = 1`);
});

const DAY = "2027-03-04";

const block = (key: string, timeSlot: string) => addBlock(app.db, key, DAY, timeSlot);
/** Days off of everybody. */
const leave = (from: string, to: string) => addLeave(app.db, from, to);

const open = (path: string, form?: Record<string, string>) => app.api(path, { form });

const offered = async () =>
  [...(await open("/")).html.matchAll(/<button[^>]* name="pick"[^>]*>/g)].map(
    ([button]) => / value="([^"]*)"/.exec(button)![1]!,
  );

/** The form's radio buttons that the page chooses, `name=value`. */
const chosenIn = (html: string) =>
  [...html.matchAll(/<input[^>]* checked=""[^>]*>/g)].flatMap(([input]) => {
    const [, name] = / name="(counselor|package|timeSlot)"/.exec(input) ?? [];
    return name ? [`${name}=${/ value="([^"]*)"/.exec(input)![1]}`] : [];
  });

describe("the head of the first page", () => {
  const head = async () => {
    const [, section = ""] = /aria-labelledby="promise">(.*?)<\/section>/s.exec(
      (await open("/")).html,
    )!;
    return section.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  };

  it("names the earliest free time and, where it cannot be refunded, the first that can", async () => {
    expect(await head()).toMatch(
      /9:00 AM Mon, 1 Mar 2027 Capt\. Asha Sample Begins too soon to be moved or refunded online 9:00 AM Tue, 2 Mar 2027 Capt\. Asha Sample First with free cancellation/,
    );
    // In half an hour it would be too late for the next day's first time.
    clock = instantOf("2027-03-01", "08:40");
    expect(await head()).toMatch(/10:00 AM Mon, 1 Mar .* 10:00 AM Tue, 2 Mar/);
    leave("2027-03-01", "2027-03-03");
    const refundable = /9:00 AM Thu, 4 Mar 2027(?!.*(too soon|free cancellation))/;
    expect(await head()).toMatch(refundable);
    // By the clock alone it comes too near.
    clock = instantOf("2027-03-03", "08:45");
    expect(await head()).toMatch(refundable);
    clock = instantOf("2027-03-03", "09:15");
    expect(await head()).toMatch(
      /9:00 AM Thu, 4 Mar 2027 .* Begins too soon .* 10:00 AM Thu, 4 Mar/,
    );
  });

  it("offers no session where nobody can be booked, and says how to be reached", async () => {
    expect(await head()).toContain("Choose your session");
    app.db.runRaw("UPDATE counselor SET active = 0");
    expect((await open("/")).html).not.toContain('name="timeSlot"');
    expect(await head()).toContain("No captain can be booked at the moment.");
    expect(await head()).toContain(app.env.BUSINESS_EMAIL);
    expect(await head()).not.toContain("Choose your session");
    app.db.runRaw("UPDATE counselor SET active = 1");
    leave("2027-03-01", "2027-12-31");
    expect(await head()).toContain("No times are free at the moment.");
    expect(await head()).not.toContain("Choose your session");
  });

  it("names the earliest time of any length, and the form that takes it has the length", async () => {
    leave("2027-03-01", "2027-03-03");
    for (const key of ["asha", "rohan"]) block(key, "09:30");
    expect(await offered()).toEqual([`asha ${DAY} 09:00 30`]);
    const took = [`counselor=${ASHA}`, "package=30", "timeSlot=09:00"];
    for (const chosen of ["", "60", "30"]) {
      const { status, html } = await open("/?index", {
        pick: (await offered())[0]!,
        package: chosen,
      });
      expect([status, chosenIn(html)]).toEqual([200, took]);
      expect(html).toContain("is chosen. Next: your name.");
    }
  });

  it("names the captain with whom every length fits, and leaves the length to the visitor", async () => {
    leave("2027-03-01", "2027-03-03");
    block("asha", "09:30");
    expect(await offered()).toEqual([`rohan ${DAY} 09:00`]);
    const { html } = await open("/?index", { pick: `rohan ${DAY} 09:00`, package: "" });
    expect(chosenIn(html)).toEqual([`counselor=${ROHAN}`, "timeSlot=09:00"]);
    expect(html).toContain("is chosen. Next: the length of the session.");
    expect(html).toMatch(
      /id="booking-chosen".*Free to move or cancel until .* IST\..*<\/summary>/s,
    );
  });

  it("links to no part that is not there", async () => {
    const links = async () =>
      [...(await open("/")).html.matchAll(/href="(#[a-z]+)" class="py-2/g)].map(([, to]) => to);
    expect(await links()).toEqual(["#captains", "#book", "#how", "#questions"]);
    app.db.runRaw("UPDATE counselor SET active = 0");
    app.db.runRaw(`UPDATE owner_settings SET saved = '{"faq":[]}'`);
    expect(await links()).toEqual(["#book", "#how"]);
  });
});

const LOST = "AM is not free for this captain and length. Please choose another time.";

describe("a form sent without scripts", () => {
  it("takes no time that is gone, and says so", async () => {
    block("asha", "09:00");
    const { status, html } = await open("/?index", { pick: `asha ${DAY} 09:00`, package: "30" });
    expect(status).toBe(409);
    expect(html).toContain("This time was just taken. Please choose another one.");
    expect(html).not.toContain("is chosen");
    expect(chosenIn(html)).toEqual([`counselor=${ASHA}`, "package=30"]);
  });

  it("takes a captain and keeps the rest, but for a time that this one does not have", async () => {
    const typed = { name: "Ananya Rao", notes: "Which school?", date: DAY, package: "30" };
    block("asha", "09:30");
    for (const timeSlot of ["09:00", "09:30"]) {
      const fields = { ...typed, counselor: ROHAN, timeSlot, captain: "asha" };
      const { status, html, words } = await open("/?index", fields);
      const kept = timeSlot === "09:00" ? [`timeSlot=${timeSlot}`] : [];
      expect([status, chosenIn(html)]).toEqual([200, [`counselor=${ASHA}`, "package=30", ...kept]]);
      expect(words).toContain(`is chosen. Next: ${kept.length > 0 ? "your email" : "the time"}.`);
      expect(words.includes(`9:30 ${LOST}`)).toBe(kept.length === 0);
      for (const text of ["Ananya Rao", "Which school?", "Thu, 4 Mar"])
        expect(html).toContain(text);
    }
    app.db.runRaw("UPDATE counselor SET active = 0 WHERE key = 'asha'");
    const gone = await open("/?index", { ...typed, captain: "asha" });
    expect([gone.status, gone.html.includes("Which school?")]).toEqual([400, true]);
  });

  it("says that a time is cleared which no longer fits, whatever button is pressed", async () => {
    block("asha", "09:30");
    const fields = { counselor: ASHA, date: DAY, timeSlot: "09:00" };
    const buttons: Record<string, string>[] = [{ intent: "show-times" }, {}];
    for (const button of buttons) {
      for (const minutes of ["30", "60"]) {
        const sent = { ...fields, ...button, package: minutes };
        const { html, words } = await open("/?index", sent);
        const fits = minutes === "30";
        expect(chosenIn(html)).toHaveLength(fits ? 3 : 2);
        expect(words.includes(`9:00 ${LOST}`)).toBe(!fits);
      }
    }
  });

  it("clears the time of another day, whatever button is pressed", async () => {
    const typed = { counselor: ASHA, package: "30", date: DAY, intent: "show-times" };
    const shown = await open("/?index", typed);
    const form = { ...filledForm(shown.html, "booking"), timeSlot: "10:00", name: "Ananya Rao" };
    const press = (button: Record<string, string>, date = "2027-03-05") =>
      open("/?index", { ...form, ...button, date });
    const kept = [`counselor=${ASHA}`, "package=30"];
    const buttons: Record<string, string>[] = [{ intent: "show-times" }, { captain: "asha" }, {}];
    for (const button of buttons) {
      expect(chosenIn((await press(button)).html), JSON.stringify(button)).toEqual(kept);
      const same = await press(button, DAY);
      expect(chosenIn(same.html)).toEqual([...kept, "timeSlot=10:00"]);
    }
    const picked = await press({ pick: "asha 2027-03-06 10:00" });
    expect(chosenIn(picked.html)).toEqual([...kept, "timeSlot=10:00"]);
  });

  it("comes back without a captain or a length that is no longer offered", async () => {
    app.db.runRaw("UPDATE counselor SET active = 0 WHERE key = 'rohan'");
    app.db.runRaw("UPDATE package SET active = 0 WHERE minutes = 45");
    const fields = { counselor: ROHAN, package: "45", date: DAY, intent: "show-times" };
    const { status, html } = await open("/?index", fields);
    expect(status).toBe(400);
    expect(chosenIn(html)).toEqual([]);
    const line = /id="booking-chosen".*?<\/summary>/s.exec(html)![0];
    expect(line).toContain("Thu, 4 Mar");
    expect(line).not.toContain(" · ");
    // Both can be seen, to be chosen again.
    expect(html).toMatch(/<fieldset id="booking-captain"[^>]*class="(?![^"]*folds)/);
    expect(html).toMatch(/<fieldset id="booking-package"[^>]*class="(?![^"]*folds)/);
  });

  it("asks once about a mistyped address, whatever else is wrong then", async () => {
    const fields = bookingForm({ date: DAY, email: "meera@gmial.com" });
    const asked = await open("/?index", fields);
    const question = "You typed meera@gmial.com. Did you mean meera@gmail.com?";
    expect(asked.words.split(question)).toHaveLength(3);
    expect(asked.words).toContain(
      `Is your email address right? If it is, please send the form again as it is. ${question}`,
    );
    expect(asked.html).toContain(`<a class="link font-medium" href="#booking-email">${question}`);
    expect(asked.html).toMatch(
      /<input(?=[^>]* name="email")(?=[^>]* aria-invalid="true")[^>]* aria-describedby="[^"]*booking-email-error"/,
    );
    const kept = { ...fields, askedEmail: "meera@gmial.com" };
    const wrong = await open("/?index", { ...kept, name: "" });
    expect(wrong.html).toContain('name="askedEmail" value="meera@gmial.com"');
    expect((await open("/?index", kept)).status).toBe(303);
  });
});
