/**
 * Every admin route behind a gate: its file, its paths, and the subject of the roles table
 * (`app/model/roles.ts`) that each path belongs to. `app/routes.ts` makes the routes of it, and the
 * gates of pages and calls look the subject up by the route's pattern. A route that is not listed
 * here is for owners only.
 */
import type { Role } from "#app/model/actor.ts";
import { mayDo, type Subject } from "#app/model/roles.ts";
import { lookUp } from "#app/model/unknown-code.ts";

/** One subject for all methods, or one per method; a method not listed has that of GET. */
type RouteSubjects = Subject | Partial<Record<"GET" | "POST" | "PATCH" | "DELETE", Subject>>;

/** By file, the subjects of its paths. */
export type RouteFiles = Readonly<Record<string, Readonly<Record<string, RouteSubjects>>>>;

/** Dialogs over the list or the calendar, at `/admin/`; files of `app/routes/admin/`. */
export const DIALOGS: RouteFiles = {
  "calendar/calendar-address.tsx": { calendar: "sessions" },
  "appointments/appointment.tsx": { "appointments/:id": "bookings" },
  "appointments/appointment-reschedule.tsx": { "appointments/:id/reschedule": "bookings" },
  "appointments/appointment-cancel.tsx": { "appointments/:id/cancel": "bookings" },
  "appointments/appointment-delete.tsx": { "appointments/:id/delete": "business" },
  "appointments/appointment-edit.tsx": { "appointments/:id/edit": "bookings" },
  "appointments/appointment-payment.tsx": { "appointments/:id/payment": "bookings" },
  "appointments/appointment-hold.tsx": { "appointments/:id/hold": "bookings" },
  "appointments/appointment-refund.tsx": { "appointments/:id/refund": "refunds" },
  "appointments/refund-settle.tsx": { "refunds/:id/settle": "refunds" },
  "availability/slots.tsx": { slots: "times" },
};

/** The other pages behind the gate, at `/admin/`; files of `app/routes/admin/`. */
export const PAGES: RouteFiles = {
  "appointments/appointment-new.tsx": { "appointments/new": "bookings" },
  "appointments/appointment-clicks.ts": {
    "appointments/:id/attendance": "attendance",
    "appointments/:id/keep": "bookings",
    "appointments/:id/help": "attendance",
    "appointments/:id/help/:side": "bookings",
  },
  "sessions/plan.tsx": { "appointments/:id/plan": "plans" },
  "appointments/appointment-invoice.ts": { "appointments/:id/invoice": "bookings" },
  "dashboard/dashboard-clicks.ts": { "first-steps": "settings", failures: "operations" },
  "sessions/sessions.tsx": { sessions: "ownSessions" },
  "sessions/session.tsx": { "sessions/:id": "ownSessions" },
  "sessions/session-host.ts": { "sessions/:id/host": "ownSessions" },
  "schedule/first-schedule.ts": { schedule: "times" },
  "schedule/schedule.tsx": { "schedule/:key": "times" },
  "catalogue/portrait.tsx": { "catalogue/captains/:key/portrait": "catalogue" },
  "schedule/busy-calendar.tsx": { "schedule/:key/busy-calendar": "times" },
  "find/find.tsx": { find: "bookings" },
  "customers/customers.tsx": { customers: "customers" },
  "customers/customer.tsx": { "customers/:id": "customers" },
  "customers/customer-erase.tsx": { "customers/:id/erase": "erasure" },
  "customers/customer-data.ts": { "customers/:id/data": "erasure" },
  "activity/activity.tsx": { activity: "team" },
  "insights/insights.tsx": { insights: "business" },
  "ratings/ratings.tsx": { ratings: "ratings" },
  "money/documents.tsx": { documents: "business" },
  "money/ledger-files.ts": {
    "documents/month": "business",
    "documents/gst": "business",
    "documents/:number": "business",
  },
  "money/unmatched.tsx": { unmatched: "refunds" },
  "catalogue/catalogue.tsx": { catalogue: "catalogue" },
  "catalogue/new-captain.tsx": { "catalogue/new": "catalogue" },
  "catalogue/captain.tsx": { "catalogue/captains/:key": "catalogue" },
  "catalogue/questions.tsx": { "catalogue/packages/:minutes/questions": "catalogue" },
  "settings/settings.tsx": { settings: "settings" },
  "settings/logo.tsx": { "settings/logo": "settings" },
  "team/team.tsx": { team: "team" },
  "account/account.tsx": { account: "account" },
  "dashboard/export.ts": { export: "business" },
};

/** The calls behind the gate, at `/api/admin/`; files of `app/routes/api/`. */
export const CALLS: RouteFiles = {
  "admin/sign-in.ts": { session: "account" },
  "admin/appointments.ts": {
    appointments: { GET: "sessions", POST: "bookings" },
    "appointments/:id": { GET: "sessions", PATCH: "attendance", DELETE: "business" },
    "appointments/:id/reschedule": "bookings",
    "appointments/:id/cancel": "bookings",
    "appointments/:id/payment": "bookings",
    "appointments/:id/hold": "bookings",
    "appointments/:id/refund": "refunds",
    "appointments/:id/attendance": "attendance",
    "appointments/:id/plan": "plans",
    "messages/:id/resend": "bookings",
    "refunds/:id/retry": "refunds",
    "refunds/:id/settle": "refunds",
  },
  "admin/counselors.ts": {
    catalogue: "offer",
    "packages/:minutes": "catalogue",
    "default-times": "catalogue",
    links: "catalogue",
    counselors: "catalogue",
    "counselors/:key": "catalogue",
    "counselors/:key/portrait": "catalogue",
    "counselors/:key/hours": "times",
    "counselors/:key/busy-calendar": "times",
    "counselors/:key/busy-calendar/refresh": "times",
  },
  "admin/settings.ts": { settings: "settings", "settings/logo": "settings" },
  "admin/times.ts": {
    calendar: "sessions",
    slots: "times",
    blocks: "times",
    leave: "times",
    "leave/:id": "times",
  },
  "admin/customers.ts": {
    customers: "customers",
    "customers/:id": "customers",
    "customers/:id/data": "erasure",
    "customers/:id/erase": "erasure",
  },
  "admin/ratings.ts": { ratings: "ratings", "ratings/:id": "ratings" },
  "admin/reports.ts": { insights: "business", export: "business", gst: "business" },
  "admin/team.ts": {
    team: "team",
    "team/:username": "team",
    "team/:username/invitation": "team",
    "activity-logs": "team",
  },
  "not-found.ts": { "*": "account" },
};

const patternsOf = (files: RouteFiles, above: string) =>
  Object.values(files).flatMap((paths) =>
    Object.entries(paths).map(([path, subjects]) => [`${above}/${path}`, subjects] as const),
  );

const routeNamed = lookUp<string, RouteSubjects>(
  Object.fromEntries([
    ...patternsOf(DIALOGS, "admin"),
    ...patternsOf(PAGES, "admin"),
    ...patternsOf(CALLS, "api/admin"),
  ]),
);

/** The subject of a request, by the pattern of its route; undefined for a route not listed. */
export function subjectOf(pattern: string, method: string): Subject | undefined {
  const known = routeNamed(pattern.replace(/^\//, ""));
  if (known === undefined || typeof known === "string") return known;
  return lookUp<string, Subject>(known)(method) ?? known.GET;
}

export function mayAsk(role: Role, pattern: string, method: string): boolean {
  const subject = subjectOf(pattern, method);
  return subject === undefined ? role === "owner" : mayDo(role, subject);
}
