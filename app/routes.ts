/** The whole map of URLs, grouped by audience. */
import { index, layout, prefix, type RouteConfig, route } from "@react-router/dev/routes";

/** One file that serves several addresses, by their patterns. */
const several = (file: string, ...paths: string[]) =>
  paths.map((path) => route(path, file, { id: `${file.replace(".ts", "")} ${path}` }));

export default [
  index("routes/public/home/home.tsx"),
  route("captains/:key", "routes/public/captain/captain.tsx"),
  route("booking/:id", "routes/public/booking/booking.tsx"),
  route("booking/:id/pay", "routes/public/booking/booking-pay.ts"),
  route("booking/:id/reschedule", "routes/public/booking/change/booking-reschedule.tsx"),
  route("booking/:id/open", "routes/public/booking/after/booking-open.tsx"),
  route("booking/:id/cancel", "routes/public/booking/change/booking-cancel.tsx"),
  route("rating/:token", "routes/public/booking/after/rating.tsx"),
  route("find-booking", "routes/public/booking/find-booking.tsx"),
  route("privacy", "routes/public/policies/privacy.tsx"),
  route("terms", "routes/public/policies/terms.tsx"),
  route("refunds", "routes/public/policies/refunds.tsx"),
  route("contact", "routes/public/policies/contact.tsx"),
  route("how-it-works", "routes/public/policies/how-it-works.tsx"),
  route("guardian/:token", "routes/public/booking/guardian.tsx"),
  ...several(
    "routes/downloads/files.ts",
    "booking/:id/calendar.ics",
    "booking/:id/plan.pdf",
    "calendar/:secret.ics",
    "portraits/:id/:width.webp",
    "brand/:accent.css",
  ),

  layout("routes/admin/parts/frame.tsx", [
    // The list or the calendar, with what opens over it.
    route("admin", "routes/admin/dashboard/dashboard.tsx", [
      layout("routes/admin/appointments/dialogs.tsx", [
        route("calendar", "routes/admin/calendar/calendar-address.tsx"),
        route("appointments/:id", "routes/admin/appointments/appointment.tsx"),
        route(
          "appointments/:id/reschedule",
          "routes/admin/appointments/appointment-reschedule.tsx",
        ),
        route("appointments/:id/cancel", "routes/admin/appointments/appointment-cancel.tsx"),
        route("appointments/:id/delete", "routes/admin/appointments/appointment-delete.tsx"),
        route("appointments/:id/edit", "routes/admin/appointments/appointment-edit.tsx"),
        route("appointments/:id/payment", "routes/admin/appointments/appointment-payment.tsx"),
        route("appointments/:id/hold", "routes/admin/appointments/appointment-hold.tsx"),
        route("appointments/:id/refund", "routes/admin/appointments/appointment-refund.tsx"),
        route("refunds/:id/settle", "routes/admin/appointments/refund-settle.tsx"),
        route("slots", "routes/admin/availability/slots.tsx"),
      ]),
    ]),
    route("admin/calendar/*", "routes/admin/calendar/former-address.ts"),
    route("admin/reset-password", "routes/admin/sign-in/reset-password.tsx"),
    route("admin/invitation/:token", "routes/admin/sign-in/invitation.tsx"),
    route("admin/logout", "routes/admin/sign-in/logout.ts"),
    layout("routes/admin/parts/gated.tsx", [
      ...prefix("admin", [
        route("appointments/new", "routes/admin/appointments/appointment-new.tsx"),
        route("appointments/:id/keep", "routes/admin/appointments/appointment-keep.ts"),
        route("appointments/:id/attendance", "routes/admin/appointments/appointment-attendance.ts"),
        route("appointments/:id/plan", "routes/admin/sessions/plan.tsx"),
        route("appointments/:id/invoice", "routes/admin/appointments/appointment-invoice.ts"),
        route("failures", "routes/admin/dashboard/failures-dismiss.ts"),
        route("sessions", "routes/admin/sessions/sessions.tsx"),
        route("sessions/:id", "routes/admin/sessions/session.tsx"),
        route("schedule", "routes/admin/schedule/first-schedule.ts"),
        route("schedule/:key", "routes/admin/schedule/schedule.tsx"),
        route("catalogue/captains/:key/portrait", "routes/admin/catalogue/portrait.tsx"),
        route("schedule/:key/busy-calendar", "routes/admin/schedule/busy-calendar.tsx"),
        route("find", "routes/admin/find/find.tsx"),
        route("customers", "routes/admin/customers/customers.tsx"),
        route("customers/:id", "routes/admin/customers/customer.tsx"),
        route("customers/:id/erase", "routes/admin/customers/customer-erase.tsx"),
        route("customers/:id/data", "routes/admin/customers/customer-data.ts"),
        route("activity", "routes/admin/activity/activity.tsx"),
        route("insights", "routes/admin/insights/insights.tsx"),
        route("documents", "routes/admin/money/documents.tsx"),
        ...several(
          "routes/admin/money/ledger-files.ts",
          "documents/month",
          "documents/gst",
          "documents/:number",
        ),
        route("unmatched", "routes/admin/money/unmatched.tsx"),
        route("catalogue", "routes/admin/catalogue/catalogue.tsx"),
        route("catalogue/new", "routes/admin/catalogue/new-captain.tsx"),
        route("catalogue/captains/:key", "routes/admin/catalogue/captain.tsx"),
        route("settings", "routes/admin/settings/settings.tsx"),
        route("settings/logo", "routes/admin/settings/logo.tsx"),
        route("team", "routes/admin/team/team.tsx"),
        route("account", "routes/admin/account/account.tsx"),
        route("export", "routes/admin/dashboard/export.ts"),
      ]),
    ]),
  ]),

  route("payments/callback", "routes/webhooks/payment-callback.ts"),

  layout("routes/api/layout.ts", [
    ...several("routes/webhooks/webhooks.ts", "webhooks/razorpay", "webhooks/whatsapp"),

    ...prefix("api", [
      ...several(
        "routes/api/booking.ts",
        "slots",
        "availability",
        "appointments",
        "payments/create-order",
        "payments/verify",
      ),
      ...several("routes/downloads/documents.ts", "invoice/:id", "credit-note/:id"),

      ...prefix("admin", [
        ...several(
          "routes/api/admin/sign-in.ts",
          "login",
          "logout",
          "forgot-password",
          "verify-otp",
          "reset-password",
        ),

        layout("routes/api/admin/layout.ts", [
          ...several("routes/api/admin/sign-in.ts", "session"),
          ...several("routes/api/admin/appointments.ts", "appointments", "appointments/:id"),
          ...several(
            "routes/api/admin/appointment-changes.ts",
            "appointments/:id/reschedule",
            "appointments/:id/cancel",
            "appointments/:id/payment",
            "appointments/:id/hold",
            "appointments/:id/refund",
            "appointments/:id/attendance",
            "appointments/:id/plan",
            "messages/:id/resend",
            "refunds/:id/retry",
            "refunds/:id/settle",
          ),
          ...several(
            "routes/api/admin/counselors.ts",
            "catalogue",
            "packages/:minutes",
            "default-times",
            "links",
            "counselors",
            "counselors/:key",
            "counselors/:key/portrait",
            "counselors/:key/hours",
            "counselors/:key/busy-calendar",
            "counselors/:key/busy-calendar/refresh",
          ),
          ...several("routes/api/admin/settings.ts", "settings", "settings/logo"),
          ...several(
            "routes/api/admin/times.ts",
            "calendar",
            "slots",
            "blocks",
            "leave",
            "leave/:id",
          ),
          ...several(
            "routes/api/admin/customers.ts",
            "customers",
            "customers/:id",
            "customers/:id/data",
            "customers/:id/erase",
          ),
          ...several("routes/api/admin/ratings.ts", "ratings", "ratings/:id"),
          ...several("routes/api/admin/reports.ts", "insights", "export", "gst"),
          ...several(
            "routes/api/admin/team.ts",
            "team",
            "team/:username",
            "team/:username/invitation",
            "activity-logs",
          ),
          ...several("routes/api/not-found.ts", "*"),
        ]),
      ]),

      route("*", "routes/api/not-found.ts"),
    ]),
  ]),

  ...several(
    "routes/public/for-programs.ts",
    "robots.txt",
    "sitemap.xml",
    ".well-known/security.txt",
  ),
  ...several("routes/monitoring.ts", "health", "metrics"),
  route("*", "routes/public/not-found.tsx"),
] satisfies RouteConfig;
