/** What the admin's actions share: typed values, refusals, redirects with a notice. */
import { href, redirect } from "react-router";
import { pathAfterSignIn } from "#app/auth/require-admin.server.ts";
import { cookieOf } from "#app/core/cookies.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { newId } from "#app/model/ids.ts";
import { type Failure, STATUS_OF_CODE } from "#app/model/outcome.ts";
import { SECRETS, type Typed } from "./form-data.ts";
import type { Flash } from "./notice.tsx";
import { parseForm, UNSENT } from "./signed-out-form.ts";

export { actorOf } from "#app/auth/require-admin.server.ts";

/** The typed values without secrets; of several with one name, the last. */
export function typedOf(form: FormData): Typed {
  const fields = [...form].filter(([name]) => !SECRETS.includes(name));
  return Object.fromEntries(fields.map(([name, value]) => [name, String(value)]));
}

/** Throws the error page of a refusal, if there is one. */
export function refusePage(refusal: Failure | null): void {
  if (refusal) throw new Response(refusal.message, { status: STATUS_OF_CODE[refusal.code] });
}

export interface GivenNotice {
  title: string;
  description?: string;
  variant?: Flash["variant"];
}

export type HeaderList = readonly (readonly [name: string, value: string])[];

/** Redirects, with a notice if there is one. With 307 the browser submits the form there again. */
export async function goOn(
  deps: Pick<Deps, "env">,
  to: string,
  notice: GivenNotice | null,
  headers: HeaderList = [],
  status: 303 | 307 = 303,
): Promise<Response> {
  const all = new Headers();
  for (const [name, value] of headers) all.append(name, value);
  if (notice) all.append("Set-Cookie", await flashHeader(deps, notice));
  return redirect(to, { status, headers: all });
}

/** The loader of an address that only takes forms. */
export function toDashboard(): Response {
  return redirect(href("/admin"), 303);
}

const NOT_SENT = {
  title: "Not Sent Yet",
  description: "You are signed in again. Nothing was done: please submit it once more.",
  variant: "destructive",
} as const;

export const OF_ANOTHER = {
  title: "Nothing Was Done",
  description: "Another account is signed in here by now than the one whose form this was.",
  variant: "destructive",
} as const;

/**
 * For a click that has no page of its own: redirects to the page of its button if it was carried
 * through the sign-in, or comes from another account's page; else null.
 */
export function refuseClick(
  deps: Pick<Deps, "env">,
  form: FormData,
  { username }: { username: string },
): Promise<Response> | null {
  const isCarried = form.has(UNSENT);
  if (!isCarried && (form.get("account") ?? username) === username) return null;
  const back = (isCarried ? parseForm(form.get(UNSENT)) : form)?.get("back");
  return goOn(deps, pathAfterSignIn(String(back ?? "")), isCarried ? NOT_SENT : OF_ANOTHER);
}

/** Not limited to `/admin`: scripts request `/admin.data`. */
const cookie = cookieOf<Flash>("admin_notice", { maxAgeSeconds: 60, key: "notice" });

export function flashHeader({ env }: Pick<Deps, "env">, flash: GivenNotice): Promise<string> {
  const { title, description = "", variant = "default" } = flash;
  return cookie.header(env, { id: newId(8), title, description, variant });
}

export function readFlash({ env }: Pick<Deps, "env">, request: Request): Promise<Flash | null> {
  return cookie.read(env, request.headers.get("cookie"));
}

export function clearFlash({ env }: Pick<Deps, "env">): Promise<string> {
  return cookie.header(env, null);
}
