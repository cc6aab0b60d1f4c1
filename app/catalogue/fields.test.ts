import { parseWithZod } from "@conform-to/zod/v4";
import { expect, it } from "vitest";
import { counselorSchema, linksFormSchema, linksSchema, packageSchema } from "./fields.ts";

/** Rows of the form, as it sends them. */
function sent(rows: readonly (readonly [label: string, url: string])[]) {
  const form = new FormData();
  for (const [i, [label, url]] of rows.entries()) {
    form.set(`links[${i}].label`, label);
    form.set(`links[${i}].url`, url);
  }
  return parseWithZod(form, { schema: linksFormSchema, disableAutoCoercion: true });
}

it("an empty row of links is none, and what is said of another stands at its own place", () => {
  const url = "https://read.example/";
  expect(
    sent([
      ["", " "],
      ["Read", url],
      ["", ""],
    ]),
  ).toMatchObject({
    status: "success",
    value: { links: [{ label: "Read", url }] },
  });
  const refused = sent([
    ["", ""],
    ["Read", "http://read.example/"],
    ["", url],
  ]);
  expect(Object.keys(refused.reply().error ?? {})).toEqual(["links[1].url", "links[2].label"]);
});

it("a new captain's four demanded fields are asked for together", () => {
  const named = (body: object) =>
    counselorSchema.safeParse(body).error?.issues.map(({ path }) => path[0]);
  expect(named({})).toEqual(["name", "title", "email", "meeting"]);
  expect(named({ room: { kind: "phone" } })).toEqual(["name", "title", "email"]);
});

it.each([{}, { label: "" }, { label: null }])(
  "an empty row of a call, %j, removes nothing",
  (row) => {
    expect(linksSchema.safeParse({ links: [row] }).success).toBe(false);
    expect(packageSchema.safeParse({ questions: [row] }).success).toBe(false);
  },
);
