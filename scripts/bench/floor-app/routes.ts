/** React Router and nothing else: what the product is measured beside. */
import { index, type RouteConfig, route } from "@react-router/dev/routes";

export default [
  index("page.tsx"),
  route("slots", "slots.ts"),
  route("month", "month.ts"),
  route("appointments", "appointments.ts"),
] satisfies RouteConfig;
