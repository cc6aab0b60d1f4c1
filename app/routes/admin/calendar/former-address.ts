/** Redirects addresses of dialogs below `/admin/calendar/`, in use until 2026-11-24. */
import { redirect } from "react-router";
import { withList } from "#app/routes/admin/parts/list-search.ts";
import type { Route } from "./+types/former-address";

export function loader({ url }: Route.LoaderArgs) {
  const list = url.searchParams.get("list") ?? "view=day";
  // Not from `params`: a decoded path may hold characters that a header must not.
  const path = url.pathname.replace(/^\/admin\/calendar\//i, "/admin/");
  return redirect(withList(path, list, url.searchParams));
}
