/** All that is kept before and after a session: in its customer's data, gone with them, and of nobody else. */
import { readFileSync } from "node:fs";
import { beforeEach, expect, it } from "vitest";
import { confirmGuardian } from "#app/booking/guardian.server.ts";
import { readCustomerData } from "#app/customers/customers.server.ts";
import { DAY } from "#app/model/dates.ts";
import { writePlan } from "#app/sessions/plan.server.ts";
import { askForRatings, rate } from "#app/sessions/ratings.server.ts";
import { findCustomerId } from "#db/queries/customers.server.ts";
import { eraseCustomer } from "#db/queries/erasures.server.ts";
import { findGuardian, saveAnswers } from "#db/queries/preparation.server.ts";
import { allRows } from "#tests/support/all-rows.ts";
import { freshTill } from "#tests/support/hooks.ts";
import { ADMIN_ACTOR, setCaptain } from "#tests/support/till.ts";

const till = freshTill();

interface Kept {
  id: string;
  email: string;
  code: string;
  /** Of everything that was said, a word of its own. */
  said: string[];
}

/** A session for a student under 18 from the payment to its rating, in words that begin with `mark`. */
async function wholeSession(mark: string): Promise<Kept> {
  const said = Object.fromEntries(
    ["student", "relation", "answer", "plan", "rating"].map((what) => [what, `${mark}${what}`]),
  ) as Record<"student" | "relation" | "answer" | "plan" | "rating", string>;
  const student = { name: said.student, under18: true, relation: said.relation };
  const { id } = await till.bookAndPay({ student } as object);
  const { token } = findGuardian(till.deps.db, id)!;
  confirmGuardian(till.deps, token, { relation: said.relation, agree: "on" });
  saveAnswers(till.deps.db, id, [{ id: "a", label: "Tried?", answer: said.answer }], 1);
  const { roomUrl, endsAt, contact } = till.booking(id);
  till.clock.now = endsAt;
  till.noteAttendance(id, { attendance: "completed" });
  writePlan(till.deps, ADMIN_ACTOR, id, { text: said.plan, send: true });
  till.clock.now += DAY + 1;
  expect(await askForRatings(till.deps)).toBe(1);
  const asked = "SELECT data FROM message WHERE appointment_id = ? AND kind = 'rating_request'";
  const { code } = JSON.parse(till.rows(asked, id)[0].data);
  rate(till.deps, code, { stars: 4, text: said.rating, shown: true });
  return { id, email: contact.email, code, said: [...Object.values(said), roomUrl!] };
}

let [one, other]: Kept[] = [];
beforeEach(async () => {
  const room = { kind: "pattern", address: "https://meet.example/{code}" };
  setCaptain(till.deps, "asha", { room });
  await askForRatings(till.deps);
  [one, other] = [await wholeSession("Qwyx"), await wholeSession("Zvubj")];
});

const inText = (text: string, words: readonly string[]) =>
  words.filter((word) => text.toLowerCase().includes(word.toLowerCase()));

/** Of the file, with all that was ever written to it. */
function bytes(): string {
  till.deps.db.driver.pragma("wal_checkpoint(TRUNCATE)");
  return readFileSync(till.deps.db.driver.name, "latin1");
}

it("all of it is in the data of its customer, and nothing of another", () => {
  for (const [own, their] of [
    [one!, other!],
    [other!, one!],
  ] as const) {
    const id = findCustomerId(till.deps.db, own.email) ?? undefined;
    const data = JSON.stringify(readCustomerData(till.deps, ADMIN_ACTOR, id));
    expect(inText(data, own.said)).toEqual(own.said);
    expect(inText(data, [...their.said, their.id, their.email])).toEqual([]);
    // Nor what opens a page of theirs.
    const { token } = findGuardian(till.deps.db, own.id)!;
    expect(inText(data, [own.code, token])).toEqual([]);
  }
});

it.each([
  ["erased", () => eraseCustomer(till.deps.db, one!.email, till.clock.now)],
  ["deleted", () => till.delete(one!.id)],
])("once %s no row and no byte of the file says any of it, and another's stays", (_, end) => {
  const { token } = findGuardian(till.deps.db, one!.id)!;
  const gone = [...one!.said, one!.code, token];
  expect(inText(allRows(till.deps.db), gone)).toEqual(gone);
  end();
  expect(inText(allRows(till.deps.db), gone)).toEqual([]);
  expect(inText(bytes(), gone)).toEqual([]);
  const stays = [...other!.said, other!.code];
  expect(inText(allRows(till.deps.db), stays)).toEqual(stays);
  expect(till.rows("SELECT stars FROM rating")).toEqual([{ stars: 4 }, { stars: 4 }]);
});

it("a rating that is withdrawn leaves no text", () => {
  const [text, theirs] = [one!, other!].map(({ said }) => said.at(-2)!);
  expect(inText(bytes(), [text!, theirs!])).toEqual([text, theirs]);
  rate(till.deps, one!.code, { stars: null, text: text!, shown: true });
  expect(inText(allRows(till.deps.db), [text!, theirs!])).toEqual([theirs]);
  expect(inText(bytes(), [text!, theirs!])).toEqual([theirs]);
});
