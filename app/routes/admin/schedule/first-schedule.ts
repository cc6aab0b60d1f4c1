/** Redirects to the schedule of the first captain. */
import { href, redirect } from "react-router";
import { ownCounselor, withinReach } from "#app/auth/require-admin.server.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { depsContext } from "#app/core/deps.server.ts";
import type { Route } from "./+types/first-schedule";

export function loader({ context }: Route.LoaderArgs) {
  const { db } = context.get(depsContext);
  const { counselors } = withinReach(ownCounselor(context), readCatalogue(db));
  const first = counselors.find(({ active }) => active) ?? counselors[0];
  return redirect(first ? href("/admin/schedule/:key", { key: first.key }) : href("/admin"), 303);
}
