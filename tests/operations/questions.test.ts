/** A package's questions: kept in order with ids, refused by name, and in the log. */
import { describe, expect, it } from "vitest";
import { changePackage } from "#app/catalogue/change-catalogue.server.ts";
import { packageSchema } from "#app/catalogue/fields.ts";
import type { Question } from "#app/model/catalogue.ts";
import { check } from "#app/model/fields.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import { checkAnswers } from "#app/sessions/answer-fields.ts";
import { inTransaction } from "#db/connection.server.ts";
import { readCatalogue } from "#db/queries/catalogue.server.ts";
import { saveAnswers } from "#db/queries/preparation.server.ts";
import { freshTill } from "#tests/support/hooks.ts";
import { ADMIN_ACTOR } from "#tests/support/till.ts";

const CLASS = { label: "Your class", kind: "choice", choices: ["11", "12"], required: true };

describe("a package's questions", () => {
  const till = freshTill();

  const questionsOf = (minutes: number) =>
    readCatalogue(till.deps.db).packages.find((one) => one.minutes === minutes)!.questions;

  function ask(questions: unknown) {
    const input = check(packageSchema, { questions });
    if (!input.ok) return input;
    return changePackage(till.deps, ADMIN_ACTOR, 45, input.value);
  }

  it("are kept with an id each, which stays as they are changed, and of that package alone", () => {
    expect(ask([CLASS, { label: "Marks in maths", kind: "number" }]).ok).toBe(true);
    const [first, second] = questionsOf(45);
    expect(first).toMatchObject({ ...CLASS, hint: "" });
    expect(second).toMatchObject({ choices: [], required: false });
    expect(first!.id).toMatch(/^[a-z0-9]{26}$/);
    expect(ask([second, { ...first, label: "Class" }]).ok).toBe(true);
    expect(questionsOf(45).map(({ id }) => id)).toEqual([second!.id, first!.id]);
    expect(questionsOf(30)).toEqual([]);
    const { action, after } = till.logged().at(-1)!;
    expect([action, JSON.stringify(after)]).toEqual([
      "package_edit",
      expect.stringContaining("Class"),
    ]);
    expect(ask([]).ok).toBe(true);
    expect(questionsOf(45)).toEqual([]);
  });

  it("the reminder of the day before says how many wait for an answer", async () => {
    ask([
      CLASS,
      { label: "Marks in maths", kind: "number", required: true },
      { label: "Your city", kind: "text" },
    ]);
    const { id } = await till.bookAndPay({ package: 45 });
    const appointment = till.booking(id);
    const { db, env } = till.deps;
    inTransaction(db, (tx) =>
      queueMessages(tx, env, till.clock.now, { type: "reminder", appointment, hours: 24 }),
    );
    const textOf = async () => {
      const reminder = till.messages(id).find(({ kind }) => kind === "reminder_24h")!;
      return (await till.mail(reminder)).text.replace(/\s+/g, " ");
    };
    expect(await textOf()).toContain("please answer 3 questions");
    const given = questionsOf(45).map(({ id, label }) => ({ id, label, answer: "12" }));
    saveAnswers(db, id, given.slice(0, 1), 1);
    expect(await textOf()).toContain("please answer one question");
    // The city may stay blank.
    saveAnswers(db, id, given.slice(0, 2), 1);
    expect(await textOf()).not.toContain("please answer");
  });
});

it.each([
  ...(
    ["12", "-2", "85.5", "85%", "25,000", "45,00,000", "₹ 45,00,000", "Rs. 500/-", "४५"] as const
  ).map((answer) => [answer, true] as const),
  ...["abc", "12-13", "1,2,3", "12 years", "%", "₹"].map((answer) => [answer, false] as const),
])("a number may be answered as %s: %s", (answer, isTaken) => {
  const input = check(packageSchema, { questions: [{ id: "a", label: "Marks", kind: "number" }] });
  const questions = input.ok ? input.value.questions! : [];
  expect(checkAnswers(questions as Question[], new Map([["a", answer]])).ok).toBe(isTaken);
});

it("an answer that was saved stays where the owner has removed its question since", () => {
  const [kept, removed] = ["a", "b"].map((id) => ({ id, label: id, answer: "12" }));
  const questions = [{ ...CLASS, id: "a", hint: "" }] as Question[];
  const answers = checkAnswers(questions, new Map([["a", "11"]]), [kept!, removed!]);
  expect(answers).toMatchObject({ value: [{ id: "a", answer: "11" }, removed] });
});

it("a choice that was saved is taken again where the owner has changed the choices since", () => {
  const question = { id: "a", label: "Stream", hint: "", kind: "choice" as const, required: false };
  const questions = [{ ...question, choices: ["Science", "Commerce"] }];
  const saved = [{ id: "a", label: "Stream", answer: "Comerce" }];
  const isTaken = (answer: string, of = saved) =>
    checkAnswers(questions, new Map([["a", answer]]), of).ok;
  expect([isTaken("Comerce"), isTaken("Commerce"), isTaken("")]).toEqual([true, true, true]);
  expect([isTaken("Comerce", []), isTaken("Arts")]).toEqual([false, false]);
});

it.each([
  ["nine", Array(9).fill(CLASS)],
  ["a choice of one", [{ ...CLASS, choices: ["11"] }]],
  ["a choice of eleven", [{ ...CLASS, choices: Array.from("abcdefghijk") }]],
  ["a choice twice", [{ ...CLASS, choices: ["11", "11"] }]],
  ["no words", [{ ...CLASS, label: " " }]],
  ["an unknown kind", [{ ...CLASS, kind: "file" }]],
  [
    "one id twice",
    [
      { ...CLASS, id: "a" },
      { ...CLASS, id: "a" },
    ],
  ],
  ["no list", "What?"],
])("%s are refused", (_, questions) => {
  expect(check(packageSchema, { questions })).toMatchObject({
    ok: false,
    code: "validation_failed",
    errors: { questions: expect.any(Array) },
  });
});
