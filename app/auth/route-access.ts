/**
 * Which subject of the roles table (`app/model/roles.ts`) each admin route belongs to. The gates of
 * pages and calls look it up by the route's pattern. Routes not listed here are for owners only.
 */
import type { Role } from "#app/model/actor.ts";
import { mayDo, type Subject } from "#app/model/roles.ts";
import { lookUp } from "#app/model/unknown-code.ts";

/** One subject for all methods, or one per method; a method not listed has that of GET. */
type RouteSubjects = Subject | Partial<Record<"GET" | "POST" | "PATCH" | "DELETE", Subject>>;

const routeNamed = lookUp<string, RouteSubjects>({
  "admin/sessions": "ownSessions",
  "admin/sessions/:id": "ownSessions",
  "admin/sessions/:id/host": "ownSessions",
  "admin/calendar": "sessions",
  "admin/appointments/:id": "bookings",
  "admin/appointments/:id/reschedule": "bookings",
  "admin/appointments/:id/cancel": "bookings",
  "admin/appointments/:id/edit": "bookings",
  "admin/appointments/:id/payment": "bookings",
  "admin/appointments/:id/hold": "bookings",
  "admin/appointments/:id/refund": "refunds",
  "admin/appointments/:id/delete": "business",
  "admin/appointments/:id/keep": "bookings",
  "admin/appointments/:id/attendance": "attendance",
  "admin/appointments/:id/help": "attendance",
  "admin/appointments/:id/help/:side": "bookings",
  "admin/appointments/:id/plan": "plans",
  "admin/appointments/:id/invoice": "bookings",
  "admin/appointments/new": "bookings",
  "admin/refunds/:id/settle": "refunds",
  "admin/find": "bookings",
  "admin/customers": "customers",
  "admin/customers/:id": "customers",
  "admin/customers/:id/erase": "erasure",
  "admin/customers/:id/data": "erasure",
  "admin/slots": "times",
  "admin/schedule": "times",
  "admin/schedule/:key": "times",
  "admin/schedule/:key/busy-calendar": "times",
  "admin/unmatched": "refunds",
  "admin/documents": "business",
  "admin/documents/month": "business",
  "admin/documents/gst": "business",
  "admin/documents/:number": "business",
  "admin/export": "business",
  "admin/insights": "business",
  "admin/ratings": "ratings",
  "admin/settings": "settings",
  "admin/first-steps": "settings",
  "admin/settings/logo": "settings",
  "admin/catalogue": "catalogue",
  "admin/catalogue/new": "catalogue",
  "admin/catalogue/captains/:key": "catalogue",
  "admin/catalogue/packages/:minutes/questions": "catalogue",
  "admin/catalogue/captains/:key/portrait": "catalogue",
  "admin/activity": "team",
  "admin/team": "team",
  "admin/failures": "operations",
  "admin/account": "account",

  "api/admin/session": "account",
  "api/admin/appointments": { GET: "sessions", POST: "bookings" },
  "api/admin/appointments/:id": { GET: "sessions", PATCH: "attendance", DELETE: "business" },
  "api/admin/appointments/:id/reschedule": "bookings",
  "api/admin/appointments/:id/cancel": "bookings",
  "api/admin/appointments/:id/payment": "bookings",
  "api/admin/appointments/:id/hold": "bookings",
  "api/admin/appointments/:id/refund": "refunds",
  "api/admin/appointments/:id/attendance": "attendance",
  "api/admin/appointments/:id/plan": "plans",
  "api/admin/ratings": "ratings",
  "api/admin/ratings/:id": "ratings",
  "api/admin/messages/:id/resend": "bookings",
  "api/admin/refunds/:id/retry": "refunds",
  "api/admin/refunds/:id/settle": "refunds",
  "api/admin/customers": "customers",
  "api/admin/customers/:id": "customers",
  "api/admin/customers/:id/data": "erasure",
  "api/admin/customers/:id/erase": "erasure",
  "api/admin/settings": "settings",
  "api/admin/settings/logo": "settings",
  "api/admin/catalogue": "offer",
  "api/admin/counselors": "catalogue",
  "api/admin/counselors/:key": "catalogue",
  "api/admin/counselors/:key/portrait": "catalogue",
  "api/admin/counselors/:key/hours": "times",
  "api/admin/counselors/:key/busy-calendar": "times",
  "api/admin/counselors/:key/busy-calendar/refresh": "times",
  "api/admin/packages/:minutes": "catalogue",
  "api/admin/default-times": "catalogue",
  "api/admin/links": "catalogue",
  "api/admin/slots": "times",
  "api/admin/blocks": "times",
  "api/admin/leave": "times",
  "api/admin/leave/:id": "times",
  "api/admin/calendar": "sessions",
  "api/admin/export": "business",
  "api/admin/gst": "business",
  "api/admin/insights": "business",
  "api/admin/activity-logs": "team",
  "api/admin/team": "team",
  "api/admin/team/:username": "team",
  "api/admin/team/:username/invitation": "team",
  "api/admin/*": "account",
});

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
