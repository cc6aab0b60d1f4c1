/** Which addresses and numbers a message may go to. */

/** The provider writes this address when it collected none; nobody reads it. */
const NOBODY = "void@razorpay.com";

/** True for one plain address without display name, blanks or control characters. */
export function isMailAddress(text: string): boolean {
  return (
    /^[^\s\p{Cc}@<>,;:"\\]+@[^\s\p{Cc}@<>,;:"\\]+$/u.test(text) && text.toLowerCase() !== NOBODY
  );
}

/** `+`, country code and number, at most 15 digits. Anything else could reach a stranger. */
export function isE164(text: string): boolean {
  return /^\+[1-9]\d{7,14}$/.test(text);
}

export interface Mailbox {
  name: string;
  address: string;
}

/** `Name <a@b>` or `a@b`, the forms of MAIL_FROM. */
export function parseMailbox(text: string, fallbackName: string): Mailbox {
  const match = /^\s*"?([^"<]*?)"?\s*<([^<>]+)>\s*$/.exec(text);
  if (!match) return { name: fallbackName, address: text.trim() };
  return { name: match[1] || fallbackName, address: (match[2] ?? "").trim() };
}
