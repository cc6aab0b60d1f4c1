import { STATUS_CODES } from "node:http";
import { expect, it } from "vitest";
import { z } from "zod";
import { check } from "./fields.ts";
import { failure, invalid, STATUS_OF_CODE, success, UNAVAILABLE } from "./outcome.ts";

it("each code is answered with the status that says what it is", () => {
  const byName: Record<string, string[]> = {};
  for (const [code, status] of Object.entries(STATUS_OF_CODE)) {
    const name = STATUS_CODES[status] ?? `no status: ${status}`;
    byName[name] = [...(byName[name] ?? []), code];
  }
  const words = (text: string) => text.split(" ");
  expect(byName).toEqual({
    "Bad Request": words("validation_failed malformed_json invalid_signature too_many_rows"),
    Unauthorized: words("unauthenticated invalid_credentials invalid_otp"),
    Forbidden: ["cross_site", "forbidden"],
    "Not Found": ["not_found"],
    "Method Not Allowed": ["method_not_allowed"],
    "Request Timeout": ["request_timeout"],
    Conflict: [
      ...words("slot_taken price_changed already_cancelled too_early already_paid"),
      ...words("payment_under_way payment_window_over"),
      ...words("order_mismatch amount_mismatch idempotency_conflict stale in_use"),
    ],
    "Payload Too Large": ["too_large"],
    "URI Too Long": ["uri_too_long"],
    "Unsupported Media Type": ["unsupported_media_type"],
    "Too Many Requests": ["rate_limited"],
    "Internal Server Error": ["internal"],
    "Bad Gateway": ["provider_unavailable"],
    "Service Unavailable": ["unavailable"],
  });
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
    ...{ ok: false, code: "validation_failed", message: "a name" },
    errors: { name: ["a name"], tags: ["a tag", "a tag"], code: ["four", "digits"] },
  });
  for (const none of [null, "text", 7, undefined]) {
    expect(check(schema, none)).toMatchObject({
      errors: { body: ["Please send an object with fields."] },
    });
  }
});
