/** The input of templates, and the content of a message, the same for HTML and plain text. */
import type { Env } from "#app/core/env.server.ts";
import type { Appointment } from "#app/model/appointment.ts";
import type { MessageData } from "#app/model/messages.ts";
import type { MoneySums, Refund } from "#app/model/refund.ts";
import type { TextBlock } from "#app/model/text-blocks.ts";

export type Tone = "good" | "waiting" | "bad";

export interface Fact {
  label: string;
  value: string;
  /** Makes the value a link in HTML; plain text shows both value and address. */
  url?: string;
}

/** The session pass, as on the booking page, in the confirmation and in print. */
export interface Pass {
  stamp: string;
  tone: Tone;
  /** Null for a booking that was never paid. */
  name: Fact | null;
  /** Captain, date, start, end and duration of the session, its place, and the pass's id. */
  session: Record<"captain" | "date" | "starts" | "ends" | "duration" | "place" | "id", Fact>;
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
  /** Text that a person has written. */
  | { type: "text"; blocks: readonly TextBlock[] }
  | { type: "pass"; pass: Pass };

/** Content as a template writes it: a string is a paragraph, and empty parts are left out. */
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
  /** The line that mail programs show beside the subject. */
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

export type Footer = ReturnType<typeof footerOf>;

type Rules = "selfServiceCutoffHours" | "minNoticeMinutes" | "paymentWindowSeconds" | "holdSeconds";

/** `publicUrl` has no trailing slash. */
export interface Site extends Pick<Env, "publicUrl" | Rules> {
  brand: Pick<Env["brand"], "name" | "tagline">;
  business: Pick<Env["business"], "name" | "address" | "email" | "phone" | "grievanceContact">;
}

/** The fastest way to reach the business. */
export function callUs({ business: { phone } }: Site): string {
  return phone ? `Please call us on ${phone}.` : "Please reply to this email.";
}

export interface DisputedMoney {
  /** Refunds that the provider has accepted or that were paid back by hand, oldest first. */
  gone: readonly { id: string; at: number; amountPaise: number }[];
  /** Refunds that are wanted and not accepted yet. */
  waitingPaise: number;
  /** False if there is no invoice, or credit notes cancel all of it. */
  hasInvoice: boolean;
}

/** Plain data, read when the message is sent. */
export interface TemplateContext {
  now: number;
  site: Site;
  data: MessageData;
  /** Null if there is none, or it was deleted. */
  appointment: Appointment | null;
  /** Only for `booking_links`. */
  bookings: readonly Appointment[];
  /** The refund that the message is about. */
  refund: Refund | null;
  /** The refund of the cancellation, for the stamp. */
  cancellationRefund: Refund | null;
  /** Those of the appointment that count, oldest first. */
  refunds: readonly Refund[];
  /** Of the payment that the message is about, if it is known. */
  currency?: string | undefined;
  /** All money of the appointment; null without one. */
  sums: MoneySums | null;
  /** What a payment that is being checked may still bring, in paise; 0 without one. */
  underWayPaise: number;
  /** Only for `admin_dispute`: of its payment, what has gone back, and whether an invoice stands. */
  disputed?: DisputedMoney | undefined;
  /** Part of the guardian page's address; undefined if no guardian was asked. */
  guardianToken?: string | undefined;
  /** Number of questions to ask the customer to answer. */
  leftToAnswer?: number;
  /** Only for `session_plan`. */
  plan?: readonly TextBlock[];
  /** What is attached, so that the text promises nothing else. */
  attached: {
    invoice: string | null;
    creditNote: string | null;
    calendar: boolean;
    /** Attached as `LOGO_CID`, for the head of the mail. */
    logo?: boolean;
  };
}

export interface AppointmentContext extends TemplateContext {
  appointment: Appointment;
}

export function bookingUrl({ publicUrl }: Pick<Site, "publicUrl">, appointmentId: string): string {
  return `${publicUrl}/booking/${appointmentId}`;
}

const REASONS = {
  customer: "You get this email because this address was given for a booking on",
  counselor: "You get this email because you are a captain on",
  admin: "You get this email because this address looks after the bookings of",
  account: "You get this email because this address belongs to an admin account on",
} as const;

function footerOf(site: Site, audience: keyof typeof REASONS) {
  const { name, address, email, phone, grievanceContact } = site.business;
  // Mails to admins go to the business address itself.
  const own = audience === "admin";
  return {
    brand: site.brand.name,
    tagline: site.brand.tagline,
    business: name,
    address,
    email: own ? null : email,
    phone: own ? null : phone,
    grievance: audience === "customer" ? grievanceContact : null,
    /** Why the recipient gets this mail. */
    reason: `${REASONS[audience]} ${new URL(site.publicUrl).host}.`,
  };
}
