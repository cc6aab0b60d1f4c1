import { createRequire } from "node:module";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { signedBy } from "#tests/support/signed-by.ts";
import { isCheckoutSignature, isWebhookSignature } from "./signature.server.ts";

const sdk = createRequire(import.meta.url)("razorpay/dist/utils/razorpay-utils.js") as {
  validateWebhookSignature(body: string, signature: string, secret: string): boolean;
};

describe("signatures", () => {
  it("accept the published vectors", () => {
    expect(
      isCheckoutSignature(
        { orderId: "order_SBX00000000001", paymentId: "pay_SBX00000000001" },
        "a4edcfe537b32c14b58c90830d573145f4521677cff6ffbac6b2fd13cc8282fc",
        "sandbox_key_secret_1",
      ),
    ).toBe(true);
    expect(
      isWebhookSignature(
        Buffer.from('{"entity":"event","event":"order.paid"}'),
        "f075faf149885de9163c281f30a2f97cb3c9b6c34e90e2949f4293be6744f562",
        ["a_newer_secret", "sandbox_hook_secret_1"],
      ),
    ).toBe(true);
  });

  it("refuse whatever the SDK refuses, and anything that is no text", () => {
    fc.assert(
      fc.property(fc.string(), fc.stringMatching(/^[0-9a-f]{64}$/), (body, signature) => {
        expect(isWebhookSignature(Buffer.from(body), signature, ["secret"])).toBe(
          sdk.validateWebhookSignature(body, signature, "secret"),
        );
      }),
    );
    for (const signature of [undefined, null, ["a"], {}, 7, "", "zz"]) {
      expect(isWebhookSignature(Buffer.from("x"), signature, ["secret"])).toBe(false);
    }
  });

  it("refuse what an empty secret signs: it is none", () => {
    const ids = { orderId: "order_SBX00000000001", paymentId: "pay_SBX00000000001" };
    expect(isWebhookSignature(Buffer.from("{}"), signedBy("", "{}"), [""])).toBe(false);
    expect(isWebhookSignature(Buffer.from("{}"), signedBy("", "{}"), ["", "secret"])).toBe(false);
    expect(isWebhookSignature(Buffer.from("{}"), signedBy("", "{}"), [])).toBe(false);
    const signature = signedBy("", `${ids.orderId}|${ids.paymentId}`);
    expect(isCheckoutSignature(ids, signature, "")).toBe(false);
  });
});
