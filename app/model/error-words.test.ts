import { expect, it } from "vitest";
import { messageErrorWords, refundErrorWords } from "./error-words.ts";

it.each([
  ["Not sent: the booking was cancelled.", "Not sent: the booking was cancelled."],
  ["Held back: the customer wants no WhatsApp messages.", undefined],
  ["ESOCKET: connect ECONNREFUSED 127.0.0.1:2525", "The mail server could not be reached."],
  ["EAUTH 535: 535 5.7.8 Bad credentials", "The mail server refused our sign-in."],
  ["EENVELOPE 550: 550 5.1.1 Unknown user", "The mail server refused the address."],
  ["EENVELOPE 451: 451 Greylisted", "The mail server asked us to try again later."],
  ["EMESSAGE 554: 554 Spam", "The mail server refused the message."],
  ["SMTP_URL is not set.", "No mail server is set up."],
  ["No answer: ECONNREFUSED", "WhatsApp could not be reached."],
  [
    "WhatsApp 131026: This number cannot be reached (Undeliverable)",
    "WhatsApp: This number cannot be reached.",
  ],
  [
    "WhatsApp HTTP 503: WhatsApp gave no usable answer.",
    "WhatsApp: WhatsApp gave no usable answer.",
  ],
  ["Could not be prepared: TypeError", "The message could not be prepared."],
  [
    "Given up after 12 tries. ESOCKET: connect ECONNREFUSED 127.0.0.1:25",
    "Given up after 12 tries. The mail server could not be reached.",
  ],
  ["The address is not a mail address.", undefined],
  ["xyz", "It could not be sent."],
  ["", "It could not be sent."],
])("says of a message: %s", (error, words = error) => {
  const shown = messageErrorWords(error);
  expect(shown.words).toBe(words);
  expect(shown.raw === null).toBe(words === error);
});

it.each([
  ["down: connect ECONNREFUSED 127.0.0.1:9", "could not be reached", true],
  ["balance: Your account does not have enough balance", "balance at Razorpay is too low", true],
  ["the provider could not carry it out", "The provider could not carry it out", false],
  ["toString: x", "ToString: x", false],
])("says of a refund: %s", (error, words, raw) => {
  const shown = refundErrorWords(error);
  expect(shown.words).toContain(words);
  expect(shown.raw).toBe(raw ? error : null);
});
