/** What the scenes of every part are made of. */
import type { Page } from "@playwright/test";
import type { TestApp } from "#tests/helpers/app.ts";
import type { BookingBody } from "./bookings.ts";

export interface Scene {
  /** Lower case with dashes; also the picture's file name. */
  name: string;
  path: string;
  area: "public" | "admin";
  /** The answer's status, where it is not 200. */
  status?: number;
  /** What a person does there; such a scene needs scripts. */
  act?: (page: Page) => Promise<unknown>;
  /** The scene whose markup it has: in `npm test` that one is looked at for both. */
  like?: string;
}

export interface Stage {
  app: TestApp;
  book(changes?: Partial<BookingBody>): Promise<string>;
  paid(changes?: Partial<BookingBody>): Promise<string>;
  /** Signed in as an owner. */
  admin(path: string, init: { method?: string; json?: unknown }): Promise<unknown>;
}

/** The scenes that have the markup of another one with other words in it, a part of it or a line more. */
export const LIKE: Readonly<Record<string, string>> = {
  home: "home-refused",
  "home-come-back": "home-filled",
  contact: "privacy",
  terms: "privacy",
  refunds: "privacy",
  "how-it-works": "privacy",
  "find-booking-sent": "find-booking",
  "prepare-closed": "find-booking",
  "reset-password": "sign-in",
  "invitation-signed-in": "invitation",
  "invitation-gone": "not-found",
  "home-full-day": "home-filled",
  "home-paying": "home-filled",
  "home-confirmed": "booking-confirmed",
  "booking-linked": "booking-held",
  "booking-broken-off": "booking-held",
  "booking-ended": "booking-time-over",
  "booking-waiting": "booking-checking",
  "booking-called": "booking-confirmed",
  "booking-cancelled": "booking-over",
  "booking-long-name": "booking-confirmed",
  "booking-outside": "booking-confirmed",
  "booking-soon": "booking-confirmed",
  "booking-moved": "booking-moved-now",
  "move-full-day": "move",
  "cancel-unpaid": "cancel",
  "cancel-too-late": "move-too-late",
  "admin-list-empty": "admin-list",
  "admin-details": "admin-details-plan",
  "admin-details-link": "admin-details-cancelled",
  "admin-details-long-name": "admin-details-plan",
  "admin-details-over": "admin-details-plan",
  "admin-details-guardian": "admin-details-plan",
  "admin-details-outside": "admin-details-cancelled",
  "admin-calendar-day": "admin-calendar-over",
  "admin-calendar-details": "admin-details-plan",
  "admin-cancel-late": "admin-cancel",
  "admin-delete": "admin-customers-erase",
  "admin-mark-paid": "admin-settle",
  "admin-schedule": "schedule-single",
  "admin-book": "book-refused",
  "admin-insights": "insights-open",
  "admin-unmatched": "unmatched-search",
  "admin-find": "find-customers",
  "find-nothing": "find-customers",
  "admin-catalogue-new": "admin-catalogue-captain",
  "dialog-slots": "admin-slots",
  "dialog-reschedule": "admin-reschedule",
  "dialog-cancel": "admin-cancel",
  "dialog-delete": "admin-customers-erase",
  "dialog-over-calendar": "dialog-details",
};
