/** Two owners at the questions of one package; how their rows are merged is tested beside the page. */
import { expect, it } from "vitest";
import { filledForm } from "#tests/support/filled-form.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";

const owner = sharedAdmin(sharedApp());
const PATH = "/admin/catalogue/packages/60/questions";

interface Asked {
  id: string;
  label: string;
}

async function put(questions: object[]): Promise<Asked[]> {
  const answer = await owner("/packages/60", { method: "PUT", json: { questions } });
  expect(answer.httpStatus, answer.text).toBe(200);
  return answer.data.questions;
}
const asked = async () => (await owner("/catalogue")).data.packages[2].questions;

const filled = (html: string) => filledForm(html, "questions");
const open = async () => filled((await owner.page(PATH)).text);
async function submit(form: Record<string, string>) {
  const { httpStatus: status, html } = await owner.page(PATH, { form });
  return { status, html };
}

it("what the other has added survives a second save, and what both reworded is seen", async () => {
  const [first, second] = await put([
    { label: "Zq first", kind: "text" },
    { label: "Zq second", kind: "text" },
  ]);
  const mine = await open();
  await put([
    { ...first, label: "Zq first of the other" },
    { ...second, label: "Zq second of the other" },
    { label: "Zq third of the other", kind: "choice", choices: ["1", "2"], required: true },
  ]);
  const typed = { ...mine, labelA: "Zq first of mine", kindA: "number", labelC: "Zq new" };
  // A fault comes first, and keeps the version that the page was opened with.
  const wrong = await submit({ ...typed, kindC: "choice" });
  expect(wrong.status).toBe(400);
  expect(filled(wrong.html)).toMatchObject({ labelC: "Zq new", version: mine.version });
  expect(wrong.html).toMatch(/<h2[^>]*>Question 3<(?:(?!<h2).)*Please enter two to ten choices/s);
  const stale = await submit(typed);
  expect(stale.status).toBe(409);
  for (const saved of ["Zq first of the other", "In words"]) {
    expect(stale.html).toContain(`Saved at present: ${saved}`);
  }
  const again = filled(stale.html);
  expect((await submit(again)).status).toBe(303);
  expect(await asked()).toMatchObject([
    { id: first!.id, label: "Zq first of mine", kind: "number" },
    { id: second!.id, label: "Zq second of the other" },
    { label: "Zq third of the other", kind: "choice", choices: ["1", "2"], required: true },
    { label: "Zq new", kind: "text" },
  ]);
});

it("more than there may be together are all shown, until there are few enough", async () => {
  const own = [..."ABCDEFGH"].map((row) => ({ label: `Zq ${row}`, kind: "text" }));
  const mine = {
    ...(await open()),
    ...Object.fromEntries(own.map(({ label }) => [`label${label.at(-1)}`, label])),
  };
  for (const row of "ABCDEFGH") mine[`id${row}`] = "";
  await put([{ label: "Zq of the other", kind: "text" }]);
  const stale = filled((await submit(mine)).html);
  expect(stale).toMatchObject({ labelA: "Zq of the other", labelB: "Zq A", labelI: "Zq H" });
  const many = await submit(stale);
  expect(many.status).toBe(400);
  expect(many.html).toContain("Please ask at most 8 questions");
  expect((await submit({ ...filled(many.html), labelC: "" })).status).toBe(303);
  expect((await asked()).map(({ label }: Asked) => label).join()).toBe(
    "Zq of the other,Zq A,Zq C,Zq D,Zq E,Zq F,Zq G,Zq H",
  );
});

it("rows without words are none", async () => {
  const rows = { kindA: "text", kindB: "text", labelB: "Your city", requiredB: "on" };
  const choice = { kindC: "choice", labelC: "Which?", choicesC: "one\ntwo" };
  await put([]);
  const { version } = await open();
  expect((await submit({ version: version!, ...rows, ...choice })).status).toBe(303);
  expect(await asked()).toMatchObject([
    { label: "Your city", kind: "text", required: true },
    { label: "Which?", choices: ["one", "two"], required: false },
  ]);
});
