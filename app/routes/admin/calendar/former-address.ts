/** What opens over the calendar had an address of its own until 2026-11-24. */
import { redirect } from "react-router";
import { withList } from "#app/routes/admin/parts/list-search.ts";
import type { Route } from "./+types/former-address";

export function loader({ params, url }: Route.LoaderArgs) {
  const list = url.searchParams.get("list") ?? "view=day";
  return redirect(withList(`/admin/${params["*"]}`, list, url.searchParams));
}
