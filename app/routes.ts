/** The whole map of URLs, grouped by audience. */
import { index, layout, prefix, type RouteConfig, route } from "@react-router/dev/routes";

const dialogs = [
  ["appointments/:id", "routes/admin/appointments/appointment.tsx"],
  ["appointments/:id/reschedule", "routes/admin/appointments/appointment-reschedule.tsx"],
  ["appointments/:id/cancel", "routes/admin/appointments/appointment-cancel.tsx"],
  ["appointments/:id/delete", "routes/admin/appointments/appointment-delete.tsx"],
  ["appointments/:id/edit", "routes/admin/appointments/appointment-edit.tsx"],
  ["appointments/:id/payment", "routes/admin/appointments/appointment-payment.tsx"],
  ["appointments/:id/refund", "routes/admin/appointments/appointment-refund.tsx"],
  ["refunds/:id/settle", "routes/admin/appointments/refund-settle.tsx"],
  ["slots", "routes/admin/availability/slots.tsx"],
] as const;

/** What opens over the list, and over the calendar: there every route needs a name of its own. */
const dialogsOver = (place: "" | "calendar/") =>
  layout(
    "routes/admin/appointments/dialogs.tsx",
    { id: `${place}dialogs` },
    dialogs.map(([path, file]) => route(path, file, { id: place + file.replace(".tsx", "") })),
  );

export default [
  index("routes/public/home/home.tsx"),
  route("booking/:id", "routes/public/booking/booking.tsx"),
  route("booking/:id/pay", "routes/public/booking/booking-pay.ts"),
  route("booking/:id/reschedule", "routes/public/booking/change/booking-reschedule.tsx"),
  route("booking/:id/cancel", "routes/public/booking/change/booking-cancel.tsx"),
  route("booking/:id/calendar.ics", "routes/downloads/calendar-file.ts"),
  route("portraits/:id/:width.webp", "routes/downloads/portrait.ts"),
  route("find-booking", "routes/public/booking/find-booking.tsx"),
  route("calendar/:secret.ics", "routes/downloads/counselor-feed.ts"),
  route("privacy", "routes/public/policies/privacy.tsx"),
  route("terms", "routes/public/policies/terms.tsx"),
  route("refunds", "routes/public/policies/refunds.tsx"),
  route("contact", "routes/public/policies/contact.tsx"),

  layout("routes/admin/parts/frame.tsx", [
    route("admin", "routes/admin/dashboard/dashboard.tsx", [dialogsOver("")]),
    route("admin/reset-password", "routes/admin/sign-in/reset-password.tsx"),
    route("admin/logout", "routes/admin/sign-in/logout.ts"),
    layout("routes/admin/parts/gated.tsx", [
      ...prefix("admin", [
        route("appointments/new", "routes/admin/appointments/appointment-new.tsx"),
        route("appointments/:id/keep", "routes/admin/appointments/appointment-keep.ts"),
        route("appointments/:id/attendance", "routes/admin/appointments/appointment-attendance.ts"),
        route("appointments/:id/invoice", "routes/admin/appointments/appointment-invoice.ts"),
        route("schedule", "routes/admin/schedule/first-schedule.ts"),
        route("schedule/:key", "routes/admin/schedule/schedule.tsx"),
        route("catalogue/captains/:key/portrait", "routes/admin/catalogue/portrait.tsx"),
        route("schedule/:key/busy-calendar", "routes/admin/schedule/busy-calendar.tsx"),
        route("calendar", "routes/admin/calendar/calendar.tsx", [dialogsOver("calendar/")]),
        route("find", "routes/admin/find/find.tsx"),
        route("customers", "routes/admin/customers/customers.tsx"),
        route("customers/:id", "routes/admin/customers/customer.tsx"),
        route("customers/:id/erase", "routes/admin/customers/customer-erase.tsx"),
        route("customers/:id/data", "routes/admin/customers/customer-data.ts"),
        route("activity", "routes/admin/activity/activity.tsx"),
        route("insights", "routes/admin/insights/insights.tsx"),
        route("documents", "routes/admin/money/documents.tsx"),
        route("documents/month", "routes/admin/money/documents-of-month.ts"),
        route("documents/gst", "routes/admin/money/gst.ts"),
        route("documents/:number", "routes/admin/money/document.ts"),
        route("unmatched", "routes/admin/money/unmatched.tsx"),
        route("catalogue", "routes/admin/catalogue/catalogue.tsx"),
        route("catalogue/new", "routes/admin/catalogue/new-captain.tsx"),
        route("catalogue/captains/:key", "routes/admin/catalogue/captain.tsx"),
        route("account", "routes/admin/account/account.tsx"),
        route("export", "routes/admin/dashboard/export.ts"),
      ]),
    ]),
  ]),

  route("payments/callback", "routes/webhooks/payment-callback.ts"),

  layout("routes/api/layout.ts", [
    route("webhooks/razorpay", "routes/webhooks/razorpay.ts"),
    route("webhooks/whatsapp", "routes/webhooks/whatsapp.ts"),

    ...prefix("api", [
      route("slots", "routes/api/slots.ts"),
      route("availability", "routes/api/availability.ts"),
      route("appointments", "routes/api/appointments.ts"),
      route("payments/create-order", "routes/api/create-order.ts"),
      route("payments/verify", "routes/api/verify-payment.ts"),
      route("invoice/:id", "routes/downloads/invoice.ts"),
      route("credit-note/:id", "routes/downloads/credit-note.ts"),

      ...prefix("admin", [
        route("login", "routes/api/admin/login.ts"),
        route("logout", "routes/api/admin/logout.ts"),
        route("forgot-password", "routes/api/admin/forgot-password.ts"),
        route("verify-otp", "routes/api/admin/verify-otp.ts"),
        route("reset-password", "routes/api/admin/reset-password.ts"),

        layout("routes/api/admin/layout.ts", [
          route("session", "routes/api/admin/session.ts"),
          route("appointments", "routes/api/admin/appointments.ts"),
          route("appointments/:id", "routes/api/admin/appointment.ts"),
          route("appointments/:id/reschedule", "routes/api/admin/reschedule.ts"),
          route("appointments/:id/cancel", "routes/api/admin/cancel.ts"),
          route("appointments/:id/payment", "routes/api/admin/payment.ts"),
          route("appointments/:id/refund", "routes/api/admin/refund.ts"),
          route("appointments/:id/attendance", "routes/api/admin/attendance.ts"),
          route("messages/:id/resend", "routes/api/admin/message-resend.ts"),
          route("refunds/:id/retry", "routes/api/admin/refund-retry.ts"),
          route("refunds/:id/settle", "routes/api/admin/refund-settle.ts"),
          route("catalogue", "routes/api/admin/catalogue.ts"),
          route("counselors", "routes/api/admin/counselors.ts"),
          route("counselors/:key", "routes/api/admin/counselor.ts"),
          route("packages/:minutes", "routes/api/admin/package.ts"),
          route("default-times", "routes/api/admin/default-times.ts"),
          route("links", "routes/api/admin/links.ts"),
          route("slots", "routes/api/admin/slots.ts"),
          route("blocks", "routes/api/admin/blocks.ts"),
          route("calendar", "routes/api/admin/calendar.ts"),
          route("insights", "routes/api/admin/insights.ts"),
          route("counselors/:key/portrait", "routes/api/admin/portrait.ts"),
          route("counselors/:key/busy-calendar", "routes/api/admin/busy-calendar.ts"),
          route(
            "counselors/:key/busy-calendar/refresh",
            "routes/api/admin/busy-calendar-refresh.ts",
          ),
          route("counselors/:key/hours", "routes/api/admin/hours.ts"),
          route("leave", "routes/api/admin/leave.ts"),
          route("leave/:id", "routes/api/admin/leave-entry.ts"),
          route("customers", "routes/api/admin/customers.ts"),
          route("customers/:id", "routes/api/admin/customer.ts"),
          route("customers/:id/data", "routes/api/admin/customer-data.ts"),
          route("customers/:id/erase", "routes/api/admin/customer-erase.ts"),
          route("export", "routes/api/admin/export.ts"),
          route("gst", "routes/api/admin/gst.ts"),
          route("activity-logs", "routes/api/admin/activity-logs.ts"),
          route("*", "routes/api/admin/not-found.ts"),
        ]),
      ]),

      route("*", "routes/api/not-found.ts"),
    ]),
  ]),

  route("robots.txt", "routes/public/robots.ts"),
  route("sitemap.xml", "routes/public/sitemap.ts"),
  route(".well-known/security.txt", "routes/public/security-txt.ts"),
  route("health", "routes/health.ts"),
  route("metrics", "routes/metrics.ts"),
  route("*", "routes/public/not-found.tsx"),
] satisfies RouteConfig;
