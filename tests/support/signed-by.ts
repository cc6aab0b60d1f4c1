/** Signatures as Razorpay and Meta make them. */
import { createHmac } from "node:crypto";

/** The HMAC of a text under a secret, in hex. */
export const signedBy = (secret: string, text: string | Buffer): string =>
  createHmac("sha256", secret).update(text).digest("hex");
