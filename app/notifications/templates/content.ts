/** What a template is given, and what a message says, for HTML and plain text alike. */
import type { Env } from "#app/core/env.server.ts";
import type { Appointment } from "#app/model/appointment.ts";
import type { MessageData } from "#app/model/messages.ts";
import type { MoneySums, Refund } from "#app/model/refund.ts";
import type { TextBlock } from "#app/model/text-blocks.ts";

export type Tone = "good" | "waiting" | "bad";

export interface Fact {
  label: string;
  value: string;
  /** Makes the value a link in HTML; the text shows value and address. */
  url?: string;
  /** Takes the whole width instead of half. */
  wide?: boolean;
}

/** The session pass, as on the booking page, in the confirmation and in print. */
export interface Pass {
  stamp: string;
  tone: Tone;
  /** Null for a booking that was never paid. */
  name: string | null;
  captain: string;
  date: string;
  starts: string;
  ends: string;
  duration: string;
  place: Fact;
  id: Fact;
  /** Price and tax. */
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
  /** As a person wrote it. */
  | { type: "text"; blocks: readonly TextBlock[] }
  | { type: "pass"; pass: Pass };

/** What a template writes: a text is a paragraph, and what is empty is left out. */
export type Part = Block | string | null | false | readonly Part[];

function blockOf(part: Part): Block[] {
  if (!part) return [];
  if (typeof part === "string") return [{ type: "paragraph", text: part }];
  return "type" in part ? [part] : part.flatMap(blockOf);
}

/** Sentences of one paragraph; empty ones are left out. */
export function sentences(...all: readonly (string | null | false)[]): string {
  return all.filter(Boolean).join(" ");
}

export function heading(text: string): Block {
  return { type: "heading", text };
}

export function button(label: string, url: string): Block {
  return { type: "button", label, url };
}

/** A link within a sentence, between `before` and `after`. */
export function link(before: string, label: string, url: string, after: string): Block {
  return { type: "link", before, label, url, after };
}

export interface MailContent {
  subject: string;
  /** The line that a mailbox shows beside the subject. */
  preview: string;
  heading: string;
  blocks: Block[];
  footer: Footer;
}

/** A mail as its template writes it. */
export interface Draft extends Pick<MailContent, "subject" | "preview" | "heading"> {
  says: Part;
}

export function mailOf(site: Site, audience: keyof typeof REASONS, draft: Draft): MailContent {
  const { says, ...head } = draft;
  return { ...head, blocks: blockOf(says), footer: footerOf(site, audience) };
}

export interface Footer {
  brand: string;
  tagline: string;
  business: string;
  address: string;
  /** Null in mails to this very address. */
  email: string | null;
  phone: string | null;
  grievance: string | null;
  /** Why the reader gets this mail. */
  reason: string;
}

export interface Site {
  /** Without a trailing slash. */
  publicUrl: string;
  cutoffHours: number;
  brand: Pick<Env["brand"], "name" | "tagline">;
  business: Pick<Env["business"], "name" | "address" | "email" | "phone" | "grievanceContact">;
}

/** A sentence for who is in a hurry. */
export function callUs({ business: { phone } }: Site): string {
  return phone ? `Please call us on ${phone}.` : "Please reply to this email.";
}

/** Plain data, gathered when the message is sent. */
export interface TemplateContext {
  /** Milliseconds UTC. */
  now: number;
  site: Site;
  data: MessageData;
  /** Null if the message is about no appointment, or a deleted one. */
  appointment: Appointment | null;
  /** Only for `booking_links`. */
  bookings: readonly Appointment[];
  /** The refund that the message is about. */
  refund: Refund | null;
  /** The refund of the booking's cancellation, for the stamp. */
  cancellationRefund: Refund | null;
  /** All money of the appointment; null without one. */
  sums: MoneySums | null;
  /** In the address of the guardian's page; absent where none was asked. */
  guardianToken?: string | undefined;
  /** How many questions before the session have no answer yet. */
  unanswered?: number;
  /** Only for `session_plan`. */
  plan?: readonly TextBlock[];
  /** What is attached, so that the words promise nothing else. */
  attached: {
    invoice: string | null;
    creditNote: string | null;
    calendar: boolean;
    /** For the head of the mail, as `LOGO_CID`. */
    logo?: boolean;
  };
}

export interface AppointmentContext extends TemplateContext {
  appointment: Appointment;
}

export function siteOf(
  env: Pick<Env, "publicUrl" | "selfServiceCutoffHours" | "brand" | "business">,
): Site {
  return {
    publicUrl: env.publicUrl,
    cutoffHours: env.selfServiceCutoffHours,
    brand: env.brand,
    business: env.business,
  };
}

export function bookingUrl(site: Site, appointmentId: string): string {
  return `${site.publicUrl}/booking/${appointmentId}`;
}

const REASONS = {
  customer: "You get this email because this address was given for a booking on",
  counselor: "You get this email because you are a captain on",
  admin: "You get this email because this address looks after the bookings of",
  account: "You get this email because this address belongs to an admin account on",
} as const;

function footerOf(site: Site, audience: keyof typeof REASONS): Footer {
  const { name, address, email, phone, grievanceContact } = site.business;
  // Mails about the bookings go to that very address.
  const own = audience === "admin";
  return {
    brand: site.brand.name,
    tagline: site.brand.tagline,
    business: name,
    address,
    email: own ? null : email,
    phone: own ? null : phone,
    grievance: audience === "customer" ? grievanceContact : null,
    reason: `${REASONS[audience]} ${new URL(site.publicUrl).host}.`,
  };
}
