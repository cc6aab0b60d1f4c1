/** What the doctor says of keys that open. */
import { expect, it } from "vitest";
import { parseEnv } from "#app/core/env.server.ts";
import { examineRazorpay } from "./provider.server.ts";

async function find(source: Record<string, string>) {
  const { env } = parseEnv({ PUBLIC_URL: "https://book.example.in", ...source });
  const provider = { listOrders: async () => [] };
  return await examineRazorpay({ env, source, now: 0, provider });
}

const TEST_KEY = { RAZORPAY_KEY_ID: "rzp_test_abcdefgh" };

it("test keys: what they pay is invoiced for real, unless documents are samples", async () => {
  expect(await find(TEST_KEY)).toMatchObject({
    level: "look",
    says: expect.stringContaining("invoices are real"),
    mend: expect.stringContaining("SAMPLE_DOCUMENTS"),
  });
  const samples = JSON.stringify(await find({ ...TEST_KEY, SAMPLE_DOCUMENTS: "1" }));
  expect(samples).toContain('"look"');
  expect(samples).not.toMatch(/invoices|SAMPLE/);
  for (const source of [
    { RAZORPAY_KEY_ID: "rzp_live_abcdefgh" },
    { ...TEST_KEY, PUBLIC_URL: "http://127.0.0.1:3000" },
  ]) {
    expect(await find(source)).toMatchObject({ level: "fine" });
  }
});
