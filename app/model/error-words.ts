/** What went wrong outside, in words for the admin; the outside's own words stand beside them. */
import { lookUp } from "./unknown-code.ts";

export interface ErrorWords {
  words: string;
  /** What was reported, where the words are not it. */
  raw: string | null;
}

const refundFault = lookUp({
  config: "The payment provider refused our keys. Please check them, then try again.",
  rejected: "The payment provider refused this refund.",
  busy: "The payment provider is still working on this refund.",
  balance: "Our account at the payment provider holds too little money. Please add some.",
  rate: "The payment provider asked us to wait. It is tried again by itself.",
  down: "The payment provider could not be reached. It is tried again by itself.",
  unknown: "The payment provider's answer was lost. It is looked up and tried again by itself.",
});

/** Of a refund: stored as the fault, a colon and what the provider said, or as a sentence of ours. */
export function refundErrorWords(error: string): ErrorWords {
  const words = refundFault(error.split(":", 1)[0]!);
  if (words) return { words, raw: error };
  return { words: `${error[0]?.toUpperCase() ?? ""}${error.slice(1)}`, raw: null };
}

/** What the senders report, by its beginning; the first that fits. */
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

/** Of a message. Sentences of ours stay, and so does what WhatsApp's codes mean. */
export function messageErrorWords(error: string): ErrorWords {
  const [, givenUp = "", cause = ""] = /^(Given up after \d+ tries\. )?(.*)$/s.exec(error) ?? [];
  const whatsApp = /^WhatsApp (?:HTTP )?\d+: ([^(]+?)\.?(?: \(.*)?$/s.exec(cause)?.[1];
  const known = SENDING.find(([pattern]) => pattern.test(cause))?.[1];
  const words = whatsApp ? `WhatsApp: ${whatsApp}.` : known;
  if (words) return { words: `${givenUp}${words}`, raw: cause };
  if (/^[A-Z][a-z]/.test(cause)) return { words: error, raw: null };
  return { words: `${givenUp}It could not be sent.`, raw: cause };
}
