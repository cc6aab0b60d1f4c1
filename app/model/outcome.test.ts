import { STATUS_CODES } from "node:http";
import { expect, it } from "vitest";
import { z } from "zod";
import { check } from "./fields.ts";
import { failure, invalid, STATUS_OF_CODE, success, UNAVAILABLE } from "./outcome.ts";

it("each code is answered with the status that says what it is", async () => {
  const lines = Object.entries(STATUS_OF_CODE).map(
    ([code, status]) => `${code}: ${status} ${STATUS_CODES[status]}`,
  );
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("golden-statuses.txt");
});

it("a refusal says that it is one, and what else is known", () => {
  expect(success(7)).toEqual({ ok: true, value: 7 });
  const message = "Look again.";
  expect(failure("stale", message)).toEqual({ ok: false, code: "stale", message });
  expect(UNAVAILABLE).toMatchObject({ ok: false, code: "unavailable", retryAfter: 5 });
  expect(invalid({ a: ["first", "second"], b: ["third"] }).message).toBe("first");
  expect(invalid({}).message).toBe("Please check what you entered.");
  expect(invalid({ a: [] }).message).toBe("Please check what you entered.");
});

it("input that does not fit is refused by field, in the order of the schema", () => {
  const schema = z.object({
    name: z.string({ error: "a name" }),
    tags: z.array(z.string({ error: "a tag" })),
    code: z.string().min(4, "four").regex(/^\d+$/, "digits"),
  });
  const right = { name: "n", tags: ["t"], code: "1234" };
  expect(check(schema, { ...right, more: 1 })).toEqual({ ok: true, value: right });
  expect(check(schema, { name: 1, tags: ["t", 2, 3], code: "x" })).toEqual({
    ok: false,
    code: "validation_failed",
    message: "a name",
    errors: { name: ["a name"], tags: ["a tag"], code: ["four", "digits"] },
  });
  for (const none of [null, "text", 7, undefined]) {
    expect(check(schema, none)).toMatchObject({
      errors: { body: ["Please send an object with fields."] },
    });
  }
});
