/** What a message says, once; the HTML and the plain text are two renderings of it. */

export type Tone = "good" | "waiting" | "bad";

export interface Fact {
  label: string;
  value: string;
  /** Makes the value a link in HTML; the text shows the value and the address. */
  url?: string;
  /** Takes the whole width instead of half. */
  wide?: boolean;
}

/** The boarding pass: what the booking page, the confirmation and the printed page share. */
export interface Pass {
  stamp: string;
  tone: Tone;
  /** Null for a booking that was never paid. */
  traveller: string | null;
  captain: string;
  date: string;
  departs: string;
  duration: string;
  gate: Fact;
  id: Fact;
  /** The stub's lines: price and tax. */
  price: Fact[];
}

export type Block =
  | { type: "paragraph"; text: string }
  | { type: "heading"; text: string }
  | { type: "list"; items: string[] }
  | { type: "facts"; facts: Fact[] }
  | { type: "button"; label: string; url: string }
  | { type: "link"; before: string; label: string; url: string; after: string }
  | { type: "code"; code: string }
  | { type: "pass"; pass: Pass };

/** Sentences of one paragraph; empty ones are left out. */
export function paragraph(...sentences: readonly string[]): Block {
  return { type: "paragraph", text: sentences.filter(Boolean).join(" ") };
}

export function heading(text: string): Block {
  return { type: "heading", text };
}

export function button(label: string, url: string): Block {
  return { type: "button", label, url };
}

/** A link within a sentence, which begins with `before` and ends with `after`. */
export function link(before: string, label: string, url: string, after: string): Block {
  return { type: "link", before, label, url, after };
}

export interface MailContent {
  subject: string;
  /** The line a mailbox shows beside the subject. */
  preview: string;
  heading: string;
  blocks: Block[];
  footer: Footer;
}

export interface Footer {
  brand: string;
  tagline: string;
  business: string;
  address: string;
  /** Null where the mail goes there. */
  email: string | null;
  phone: string | null;
  grievance: string | null;
  /** Why this mail came to its reader. */
  reason: string;
}
