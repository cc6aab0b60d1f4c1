/** React Router and nothing else: what the product is measured beside. */
import { index, type RouteConfig, route } from "@react-router/dev/routes";

export default [
  index("page.tsx"),
  // The product's listener keeps what stands at `/`.
  route("rendered", "page.tsx", { id: "rendered" }),
  route("slots", "slots.ts"),
  route("month", "month.ts"),
  route("appointments", "appointments.ts"),
] satisfies RouteConfig;
