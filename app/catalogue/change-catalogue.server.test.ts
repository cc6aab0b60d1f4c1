import { expect, it } from "vitest";
import { freshDeps } from "#tests/support/hooks.ts";
import { ADMIN_ACTOR } from "#tests/support/till.ts";
import { changeCounselor, counselorKey } from "./change-catalogue.server.ts";

const world = freshDeps();

it("keeps the last captain whom the page offers: a sample at a public address is none", () => {
  const { deps } = world;
  const publicUrl = "https://book.captains.example";
  const change = (key: string, input: { active?: boolean; sample?: false }, at = deps.env) =>
    changeCounselor({ ...deps, env: at }, ADMIN_ACTOR, key, input);
  const open = { ...deps.env, publicUrl, sampleDocuments: false };
  expect(change("asha", { sample: false }).ok).toBe(true);
  expect(change("asha", { active: false }, open)).toMatchObject({ code: "in_use" });
  expect(change("rohan", { active: false }, open).ok).toBe(true);
  change("rohan", { active: true });
  expect(change("asha", { active: false }).ok).toBe(true);
});

it.each([
  ["Capt. Asha Sample", [], "capt-asha-sample"],
  ["  Zoë—Müller! ", [], "zoe-muller"],
  ["कप्तान", [], "captain"],
  ["कप्तान", ["captain", "captain-2"], "captain-3"],
  ["A".repeat(99), [], "a".repeat(40)],
  [`${"a".repeat(39)} bc`, [], "a".repeat(39)],
])("%j beside %j has the key %s", (name, taken, key) => {
  expect(counselorKey(name, taken)).toBe(key);
});
