/** Ends the session of the cookie and that of the browser's stored token. */
import { href, redirect } from "react-router";
import { readTokens, signOutHeaders } from "#app/auth/session.server.ts";
import { signOut } from "#app/auth/sign-in.server.ts";
import { depsContext } from "#app/core/deps.server.ts";
import { goOn } from "#app/routes/admin/parts/forms.server.ts";
import type { Route } from "./+types/logout";

export async function action({ request, context }: Route.ActionArgs): Promise<Response> {
  const deps = context.get(depsContext);
  const kept = (await request.formData()).get("token");
  const tokens = new Set(await readTokens(deps.env, request));
  if (typeof kept === "string") tokens.add(kept);
  for (const token of tokens) signOut(deps, token);
  const notice = { title: "Logged Out", description: "You have been logged out." };
  return goOn(deps, href("/admin"), notice, await signOutHeaders(deps.env));
}

export function loader(): Response {
  return redirect(href("/admin"), 303);
}
