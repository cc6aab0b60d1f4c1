/** React Router and nothing else: what the product is measured beside. */
import { index, type RouteConfig, route } from "@react-router/dev/routes";

export default [
  index("page.ts"),
  // The product's listener keeps what stands at `/`.
  route("rendered", "page.ts", { id: "rendered" }),
  route("slots", "calls.ts", { id: "slots" }),
  route("month", "calls.ts", { id: "month" }),
  route("appointments", "calls.ts", { id: "appointments" }),
] satisfies RouteConfig;
