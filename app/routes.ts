/** Every URL, grouped by audience; those behind the admin's gates are in `auth/route-access.ts`. */
import { index, layout, prefix, type RouteConfig, route } from "@react-router/dev/routes";
import { CALLS, DIALOGS, PAGES, type RouteFiles } from "./auth/route-access.ts";

/** Routes for several paths that one file serves. */
const several = (file: string, ...paths: string[]) =>
  paths.map((path) => route(path, file, { id: `${file.replace(".ts", "")} ${path}` }));

/** A page has one path, other files may have several. */
const routesOf = (folder: string, files: RouteFiles) =>
  Object.entries(files).flatMap(([file, paths]) =>
    file.endsWith(".tsx")
      ? Object.keys(paths).map((path) => route(path, folder + file))
      : several(folder + file, ...Object.keys(paths)),
  );

export default [
  index("routes/public/home/home.tsx"),
  route("captains/:key", "routes/public/captain/captain.tsx"),
  route("booking/:id", "routes/public/booking/booking.tsx"),
  route("booking/:id/pay", "routes/public/booking/booking-pay.ts"),
  route("booking/:id/reschedule", "routes/public/booking/change/booking-reschedule.tsx"),
  route("booking/:id/help", "routes/public/booking/help/help.tsx"),
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
  route("booking/:id/prepare", "routes/public/booking/prepare/prepare.tsx"),
  ...several(
    "routes/downloads/files.ts",
    "booking/:id/calendar.ics",
    "booking/:id/plan.pdf",
    "calendar/:secret.ics",
    "portraits/:id/:width.webp",
    "brand/:accent.css",
  ),

  layout("routes/admin/parts/frame.tsx", [
    // The list or the calendar, with the dialogs that open over it.
    route("admin", "routes/admin/dashboard/dashboard.tsx", [
      layout("routes/admin/appointments/dialogs.tsx", routesOf("routes/admin/", DIALOGS)),
    ]),
    route("admin/calendar/*", "routes/admin/calendar/former-address.ts"),
    route("admin/reset-password", "routes/admin/sign-in/reset-password.tsx"),
    route("admin/invitation/:token", "routes/admin/sign-in/invitation.tsx"),
    route("admin/logout", "routes/admin/sign-in/logout.ts"),
    layout("routes/admin/parts/gated.tsx", prefix("admin", routesOf("routes/admin/", PAGES))),
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

        layout("routes/api/admin/layout.ts", routesOf("routes/api/", CALLS)),
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
