/** Signatures of the provider: hex HMAC-SHA256, compared in constant time. */
import { createHmac, timingSafeEqual } from "node:crypto";

const HEX_64 = /^[0-9a-f]{64}$/;

/** Made by the checkout over `order|payment` with the API's key secret. */
export function isCheckoutSignature(
  ids: { orderId: string; paymentId: string },
  signature: unknown,
  keySecret: string,
): boolean {
  return matches(`${ids.orderId}|${ids.paymentId}`, signature, keySecret);
}

/** Made by a webhook over the raw bytes of the body; any of the secrets in use may have made it. */
export function isWebhookSignature(
  body: Uint8Array,
  signature: unknown,
  secrets: readonly string[],
): boolean {
  return secrets.some((secret) => matches(body, signature, secret));
}

function matches(message: string | Uint8Array, signature: unknown, secret: string): boolean {
  if (typeof signature !== "string" || !HEX_64.test(signature) || secret === "") return false;
  const expected = createHmac("sha256", secret).update(message).digest();
  return timingSafeEqual(expected, Buffer.from(signature, "hex"));
}
