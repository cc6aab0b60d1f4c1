import Razorpay from "razorpay";
import { validatePaymentVerification } from "razorpay/dist/utils/razorpay-utils.js";
import { expect, test } from "vitest";
import { checkoutSignature, hmacHex, metaSignature, newId } from "#scripts/sandbox/signature.ts";

const ORDER = "order_SBX00000000001";
const PAYMENT = "pay_SBX00000000001";
const CHECKOUT = "a4edcfe537b32c14b58c90830d573145f4521677cff6ffbac6b2fd13cc8282fc";
const HOOK_BODY = '{"entity":"event","event":"order.paid"}';
const HOOK = "f075faf149885de9163c281f30a2f97cb3c9b6c34e90e2949f4293be6744f562";

test("the three signatures agree with the vectors", () => {
  expect(checkoutSignature("sandbox_key_secret_1", ORDER, PAYMENT)).toBe(CHECKOUT);
  expect(hmacHex("sandbox_hook_secret_1", HOOK_BODY)).toBe(HOOK);
  expect(
    metaSignature("sandbox_app_secret_1", '{"object":"whatsapp_business_account","entry":[]}'),
  ).toBe("sha256=34f3bf832d8829b9f0409509feb56ffaf51bf8a01c1bc98158511f5302c00d4e");
});

test("the official helpers accept them", () => {
  expect(
    validatePaymentVerification(
      { order_id: ORDER, payment_id: PAYMENT },
      CHECKOUT,
      "sandbox_key_secret_1",
    ),
  ).toBe(true);
  expect(Razorpay.validateWebhookSignature(HOOK_BODY, HOOK, "sandbox_hook_secret_1")).toBe(true);
});

test("ids have the provider's shape", () => {
  expect(newId("order")).toMatch(/^order_[A-Za-z0-9]{14}$/);
});
