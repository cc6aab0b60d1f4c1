/** The whole map of URLs, grouped by audience. */
import { index, prefix, type RouteConfig, route } from "@react-router/dev/routes";

export default [
  index("routes/public/home.tsx"),
  route("booking/:id", "routes/public/booking.tsx"),
  route("booking/:id/pay", "routes/public/booking-pay.ts"),
  route("booking/:id/calendar.ics", "routes/downloads/calendar-file.ts"),
  route("privacy", "routes/public/privacy.tsx"),
  route("terms", "routes/public/terms.tsx"),
  route("refunds", "routes/public/refunds.tsx"),
  route("contact", "routes/public/contact.tsx"),

  route("payments/callback", "routes/webhooks/payment-callback.ts"),
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
    route("*", "routes/api/not-found.ts"),
  ]),

  route("health", "routes/health.ts"),
  route("metrics", "routes/metrics.ts"),
  route("*", "routes/public/not-found.tsx"),
] satisfies RouteConfig;
