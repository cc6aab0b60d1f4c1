/** What opens over the calendar had an address of its own until 2026-11-24. */
import { redirect } from "react-router";
import { withList } from "#app/routes/admin/parts/list-search.ts";
import type { Route } from "./+types/former-address";

export function loader({ url }: Route.LoaderArgs) {
  const list = url.searchParams.get("list") ?? "view=day";
  // As it was sent: what stands decoded in `params` may not fit into a header.
  const path = url.pathname.replace(/^\/admin\/calendar\//i, "/admin/");
  return redirect(withList(path, list, url.searchParams));
}
