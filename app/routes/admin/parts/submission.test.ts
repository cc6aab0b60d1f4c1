/** How long a form of an open page keeps its key: until what it asked for is done. */
import { expect, it } from "vitest";
import { keepPage, keyAfter } from "./submission.ts";

/** Submits the form of a key, with the router's result of its action. */
async function submit(formKey: string, result: unknown, type = "data"): Promise<void> {
  const body = new URLSearchParams({ formKey, text: "First" });
  const request = new Request("https://captains.example/admin/page", { method: "POST", body });
  const answers = { page: { type, result } };
  await keepPage({ request } as never, (async () => answers) as never);
}

const done = () => new Response(null, { status: 303, headers: { Location: "/admin/page" } });

it("a form that was done takes the key of the page as it is loaded now", async () => {
  expect(keyAfter("first", "second")).toBe("first");
  await submit("first", done(), "error");
  expect(keyAfter("first", "second")).toBe("second");
  // Loaded again for another reason.
  expect(keyAfter("second", "third")).toBe("second");
  await submit("second", done(), "error");
  expect(keyAfter("second", "third")).toBe("third");
});

it("a form that was refused, looked something up, or got no answer keeps its key", async () => {
  for (const [result, type] of [
    [{ refusal: { title: "Plan Not Saved", message: "No" } }, "data"],
    [{ refusal: null, more: {} }, "data"],
    [new TypeError("Failed to fetch"), "error"],
  ] as const) {
    await submit("fourth", result, type);
    expect(keyAfter("fourth", "fifth")).toBe("fourth");
  }
});
