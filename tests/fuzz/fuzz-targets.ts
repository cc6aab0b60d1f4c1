/** What there is to be fuzzed: every path of the route table, and the fields its deep code waits for. */
import routes from "#app/routes.ts";

/** The fields that lead deep into a route; every route is also sent others. */
export const FIELDS: Readonly<Record<string, readonly string[]>> = {
  "POST /": [
    "name",
    "email",
    "phone",
    "counselor",
    "package",
    "date",
    "timeSlot",
    "state",
    "notes",
    "intent",
    "pick",
    "shownCutoff",
    "shownTotal",
    "timesOf",
    "website",
  ],
  "POST /api/appointments": [
    ...["name", "email", "phone", "counselor", "package", "date", "timeSlot", "packagePrice"],
    ...["state", "notes", "website"],
  ],
  "POST /api/payments/create-order": ["appointmentId"],
  "POST /api/payments/verify": [
    ...["appointmentId", "razorpay_order_id", "razorpay_payment_id", "razorpay_signature"],
  ],
  "POST /payments/callback": ["razorpay_order_id", "razorpay_payment_id", "razorpay_signature"],
  "POST /booking/:id/reschedule": ["email", "date", "newTimeSlot", "version"],
  "POST /booking/:id/cancel": ["email", "version"],
  "POST /booking/:id/pay": ["intent"],
  "POST /find-booking": ["email"],
  "POST /webhooks/razorpay": ["event", "payload"],
  "POST /api/admin/login": ["username", "password", "totp"],
  "POST /api/admin/forgot-password": ["email"],
  "POST /api/admin/verify-otp": ["email", "otp"],
  "POST /api/admin/reset-password": ["email", "otp", "newPassword"],
  "PATCH /api/admin/appointments/:id": ["name", "email", "phone", "notes", "version"],
  "PUT /api/admin/appointments/:id/reschedule": ["date", "newTimeSlot", "version"],
  "POST /api/admin/appointments/:id/cancel": ["version"],
  "DELETE /api/admin/appointments/:id": ["version"],
  "POST /api/admin/slots": ["counselor", "date", "timeSlots"],
  "POST /api/admin/blocks": ["counselor", "date", "timeSlotsToBlock", "action", "reason"],
  "POST /admin": ["username", "password", "totp", "next"],
  "POST /admin/slots": [
    ...["counselor", "date", "until", "weekday", "timeSlots", "timeSlotsToBlock", "action"],
    ...["reason", "intent", "shown"],
  ],
  "POST /admin/reset-password": ["email", "otp", "newPassword", "confirmPassword", "intent"],
  "POST /admin/account": [
    "intent",
    "currentPassword",
    "newPassword",
    "confirmPassword",
    "totp",
    "counselor",
  ],
  "POST /admin/team": ["intent", "username", "email", "role", "counselor"],
  "POST /admin/invitation/:token": ["newPassword", "confirmPassword"],
  "POST /api/admin/team": ["username", "email", "role", "counselor"],
  "PATCH /api/admin/team/:username": ["role", "counselor", "active"],
  "POST /admin/unmatched": ["intent", "paymentId", "appointmentId"],
  "POST /admin/appointments/:id/edit": ["name", "email", "phone", "notes", "version", "shown"],
  "POST /admin/appointments/:id/reschedule": ["date", "newTimeSlot", "version"],
  "POST /admin/appointments/:id/cancel": ["version"],
  "POST /admin/appointments/:id/delete": ["version"],
  "POST /admin/appointments/:id": ["resend", "refund"],
};
export const QUERIES: Readonly<Record<string, readonly string[]>> = {
  "GET /api/slots": ["counselor", "date", "package"],
  "GET /api/availability": ["counselor", "from", "to", "package"],
  "GET /api/admin/appointments": [
    "startDate",
    "endDate",
    "counselor",
    "status",
    "q",
    "page",
    "sort",
  ],
  "GET /api/admin/export": ["startDate", "endDate", "counselor", "status", "q"],
  "GET /api/admin/slots": ["counselor", "date"],
  "DELETE /api/admin/slots": ["counselor", "date"],
  "GET /api/admin/activity-logs": ["page", "q"],
  "GET /admin": ["startDate", "endDate", "counselor", "status", "q", "page", "sort"],
  "GET /admin/slots": ["counselor", "date", "tab", "time"],
  "GET /admin/calendar": ["view", "date", "counselor"],
  "GET /api/admin/calendar": ["from", "to", "counselor"],
  "GET /admin/insights": ["from", "to", "counselor"],
  "GET /api/admin/insights": ["from", "to", "counselor"],
  "GET /admin/export": ["startDate", "status"],
  "GET /admin/activity": ["page", "q"],
  "GET /admin/documents": ["month"],
  "GET /admin/documents/month": ["month"],
  "GET /admin/documents/gst": ["month"],
  "GET /api/admin/gst": ["month"],
  "GET /booking/:id": ["payment"],
  "GET /payments/callback": ["booking"],
  "POST /payments/callback": ["booking"],
};

interface RouteEntry {
  path?: string;
  index?: boolean;
  children?: RouteEntry[];
}

function pathsOf(entries: readonly RouteEntry[], parent = ""): string[] {
  return entries.flatMap(({ path = "", children = [] }) => {
    const whole = path === "" ? parent : `${parent}/${path}`;
    const own = path === "" && children.length > 0 ? [] : [whole.replace("*", "nothing") || "/"];
    return [...own, ...pathsOf(children, whole)];
  });
}

/** Every address of the map, its parameters as `:name`. */
export const PATHS = [...new Set(pathsOf((await routes) as RouteEntry[]))];

/** The routes that expect fields, and a plain read and write of all others. */
export const TARGETS = [
  ...new Set([
    ...Object.keys(FIELDS),
    ...Object.keys(QUERIES),
    ...PATHS.flatMap((path) => [`GET ${path}`, `POST ${path}`]),
  ]),
];
