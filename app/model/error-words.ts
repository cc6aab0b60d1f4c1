/** What went wrong outside, in words for the admin, beside the original words. */
import { lookUp } from "./unknown-code.ts";

export interface ErrorWords {
  words: string;
  /** What was reported, if the words differ from it. */
  raw: string | null;
}

const refundFault = lookUp({
  config: "Razorpay refused our keys. Please check them, then try again.",
  rejected: "Razorpay refused this refund.",
  busy: "Razorpay is still working on this refund.",
  balance: "Our balance at Razorpay is too low. Please add money.",
  rate: "Razorpay asked us to wait. We try again automatically.",
  down: "Razorpay could not be reached. We try again automatically.",
  unknown: "Razorpay's answer was lost. We look it up and try again automatically.",
});

/** A refund's error is a fault, a colon and the provider's words, or a sentence of ours. */
export function refundErrorWords(error: string): ErrorWords {
  const words = refundFault(error.split(":", 1)[0]!);
  if (words) return { words, raw: error };
  return { words: `${error[0]?.toUpperCase() ?? ""}${error.slice(1)}`, raw: null };
}

/** Beginnings of what the senders report; the first that matches. */
const SENDING: readonly (readonly [RegExp, string])[] = [
  [/^(EAUTH|ENOAUTH|EOAUTH2)/, "The mail server refused our sign-in."],
  [
    /^(ECONN|ESOCKET|EDNS|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|ETLS|EPROTOCOL|EAI_AGAIN|ECONFIG)/,
    "The mail server could not be reached.",
  ],
  [/^\w+ 4\d\d:/, "The mail server asked us to try again later."],
  [/^EENVELOPE/, "The mail server refused the address."],
  [/^EMESSAGE/, "The mail server refused the message."],
  [/^SMTP_URL/, "No mail server is set up."],
  [/^No answer:/, "WhatsApp could not be reached."],
  [/^Could not be prepared:/, "The message could not be prepared."],
  [/^(AbortError|TimeoutError|unknown:|\w+Error)/, "It was broken off before an answer came."],
];

/** Keeps sentences of ours and the meaning of WhatsApp's codes. */
export function messageErrorWords(error: string): ErrorWords {
  const [, givenUp = "", cause = ""] = /^(Given up after \d+ tries\. )?(.*)$/s.exec(error) ?? [];
  const whatsApp = /^WhatsApp (?:HTTP )?\d+: ([^(]+?)\.?(?: \(.*)?$/s.exec(cause)?.[1];
  const known = SENDING.find(([pattern]) => pattern.test(cause))?.[1];
  const words = whatsApp ? `WhatsApp: ${whatsApp}.` : known;
  if (words) return { words: `${givenUp}${words}`, raw: cause };
  if (/^[A-Z][a-z]/.test(cause)) return { words: error, raw: null };
  return { words: `${givenUp}It could not be sent.`, raw: cause };
}
