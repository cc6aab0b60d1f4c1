/** What a template is given: plain data, gathered when the message is sent. */

import { BRAND } from "#app/catalogue.ts";
import type { Env } from "#app/core/env.server.ts";
import type { Appointment } from "#app/model/appointment.ts";
import type { MessageData } from "#app/model/messages.ts";
import type { MoneySums, Refund } from "#app/model/refund.ts";
import type { Footer } from "./content.ts";

export interface Site {
  /** Origin without a trailing slash. */
  publicUrl: string;
  cutoffHours: number;
  business: Pick<Env["business"], "name" | "address" | "email" | "phone" | "grievanceContact">;
}

export interface TemplateContext {
  /** Milliseconds UTC. */
  now: number;
  site: Site;
  data: MessageData;
  /** The refund that the message is about. */
  refund: Refund | null;
  /** That of the booking's cancellation, for the stamp. */
  cancellationRefund: Refund | null;
  /** Of all money of the appointment; null without one. */
  sums: MoneySums | null;
  /** What goes with the mail, so the words promise nothing that is not there. */
  attached: { invoice: string | null; creditNote: string | null; calendar: boolean };
}

export interface AppointmentContext extends TemplateContext {
  appointment: Appointment;
}

export function siteOf(env: Pick<Env, "publicUrl" | "selfServiceCutoffHours" | "business">): Site {
  return {
    publicUrl: env.publicUrl,
    cutoffHours: env.selfServiceCutoffHours,
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

export function footerOf(site: Site, audience: keyof typeof REASONS): Footer {
  const { name, address, email, phone, grievanceContact } = site.business;
  // Mails about the bookings go to that very address.
  const own = audience === "admin";
  return {
    brand: BRAND.name,
    tagline: BRAND.tagline,
    business: name,
    address,
    email: own ? null : email,
    phone: own ? null : phone,
    grievance: audience === "customer" ? grievanceContact : null,
    reason: `${REASONS[audience]} ${new URL(site.publicUrl).host}.`,
  };
}
