/** The log is found by what it shows, and says nothing more of a person who was erased. */
import { describe, expect, it } from "vitest";
import { addDays, dateInIndia, formatDate } from "#app/model/dates.ts";
import { listActivity, logActivity } from "#db/queries/activity.server.ts";
import { freshTill } from "#tests/support/hooks.ts";

const till = freshTill();

const seek = (q: string) => {
  const { entries, total } = listActivity(till.deps.db, { q, page: 1, pageSize: 50 });
  expect(total).toBe(entries.length);
  return entries.map(({ action }) => action);
};

const logs = (action: "block" | "login" | "export", target: string | null = null) =>
  logActivity(till.deps.db, { at: 0, actor: "meera", action, target });

describe("the search of the log", () => {
  it("finds a line by its words, dates, names and IDs", async () => {
    const { id } = await till.bookAndPay({ timeSlot: "10:00" });
    const date = addDays(dateInIndia(till.clock.now), 40);
    const moved = await till.move(id, { date, timeSlot: "11:00" });
    expect(moved.ok).toBe(true);
    logs("login");
    for (const q of [
      ...["Session moved", "session MOVED", "moved admin", formatDate(date), "to", "11:00 AM IST"],
      ...[`#${id.slice(-6)}`, id, id.slice(-8), "reschedule", `${formatDate(date)}, 11`],
    ]) {
      expect(seek(q), q).toEqual(["reschedule"]);
    }
    expect(seek("Signed in")).toEqual(["login"]);
    expect(seek("me")).toContain("login");
    for (const q of ["%", "_", '"', "moved NOT admin", "zzz", "mo%d", "(", "a*"]) {
      expect(seek(q), q).toEqual([]);
    }
  });

  it("finds a captain by name, as it was then, and a part of a line that was shortened", () => {
    const { db } = till.deps;
    logs("block", "asha 2026-11-12");
    const [{ name }] = till.rows("SELECT name FROM counselor WHERE key = 'asha'");
    db.runRaw("UPDATE counselor SET name = 'Capt. Meenakshi' WHERE key = 'asha'");
    logs("block", "asha 2026-11-13");
    expect(listActivity(db, { q: name, page: 1, pageSize: 5 }).entries).toMatchObject([
      { about: name, words: "Times blocked on 12 Nov 2026" },
    ]);
    expect(seek("Meenakshi")).toEqual(["block"]);
    expect(seek("2026-11-12")).toEqual(["block"]);
  });

  it("shows an older line that was never worded", () => {
    const log = "INSERT INTO activity (at, actor, action, target) VALUES (0, 'a', 'cancel', 'x')";
    till.deps.db.runRaw(log);
    const [entry] = listActivity(till.deps.db, { page: 1, pageSize: 1 }).entries;
    expect(entry).toMatchObject({ words: "Appointment cancelled", about: "x" });
  });
});

it("a deleted appointment leaves no word of its person, in the line or in the search", async () => {
  const [id, other] = [till.book(), till.book()];
  for (const one of [id, other]) {
    const change = { name: one === id ? "Zarina Quereshi" : "Somebody Else" };
    expect(till.edit(one, change).ok).toBe(true);
  }
  expect(seek("Zarina")).toEqual(["edit"]);
  expect(till.delete(id).ok).toBe(true);
  expect(seek("Zarina")).toEqual([]);
  expect(seek("Somebody Else")).toEqual(["edit"]);
  expect(seek(id).sort()).toEqual(["delete", "edit"]);
  expect(JSON.stringify(till.rows("SELECT * FROM activity"))).not.toContain("Zarina");
  till.deps.db.runRaw("DELETE FROM activity WHERE target = ?", [id]);
  expect(seek(id)).toEqual([]);
});
