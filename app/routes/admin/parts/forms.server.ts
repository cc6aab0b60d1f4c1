/** What the admin's actions share: typed values, refusals, redirects with a notice. */
import { type ActionFunctionArgs, data, href, redirect } from "react-router";
import { actorOf, pathAfterSignIn } from "#app/auth/require-admin.server.ts";
import { cookieOf } from "#app/core/cookies.server.ts";
import { type Deps, depsContext } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { check, versionSchema } from "#app/model/fields.ts";
import { newId } from "#app/model/ids.ts";
import { type Failure, type Outcome, STATUS_OF_CODE } from "#app/model/outcome.ts";
import { parseForm, SECRETS, type Typed, UNSENT } from "./form-data.ts";
import type { Flash } from "./page-parts.tsx";

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
  if (notice) {
    const { title, description = "", variant = "default" } = notice;
    const flash = { id: newId(8), title, description, variant };
    all.append("Set-Cookie", await flashCookie.header(deps.env, flash));
  }
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

export interface Click extends ActionFunctionArgs {
  deps: Deps;
  actor: ReturnType<typeof actorOf>;
  form: FormData;
}

/**
 * The action of a click that has no page of its own: `run` does it and returns its notice. Redirects
 * to the page of the button, at its anchor if it names one. Nothing is done if the click was carried
 * through the sign-in, or comes from another account's page.
 */
export function clickAction(run: (click: Click) => GivenNotice | null) {
  return async (args: ActionFunctionArgs): Promise<Response> => {
    const deps = args.context.get(depsContext);
    const actor = actorOf(args.context);
    const sent = await args.request.formData();
    const isCarried = sent.has(UNSENT);
    const form = (isCarried ? parseForm(sent.get(UNSENT)) : null) ?? sent;
    const back = pathAfterSignIn(String(form.get("back") ?? ""));
    if (isCarried) return goOn(deps, back, NOT_SENT);
    const { username } = actor;
    if ((form.get("account") ?? username) !== username) return goOn(deps, back, OF_ANOTHER);
    const notice = run({ ...args, deps, actor, form });
    const anchor = form.get("anchor");
    const place = anchor === null ? "" : `#${encodeURIComponent(String(anchor))}`;
    return goOn(deps, back + place, notice);
  };
}

/** The notice of a click: what was done, or why not. */
export function noticeOf<T>(
  outcome: Outcome<T>,
  failed: string,
  done: (value: T) => GivenNotice,
): GivenNotice {
  if (outcome.ok) return done(outcome.value);
  return { title: failed, description: outcome.message, variant: "destructive" };
}

/** Not limited to `/admin`: scripts request `/admin.data`. */
export const flashCookie = cookieOf<Flash>("admin_notice", { maxAgeSeconds: 60, key: "notice" });

interface PictureGiven<T, Shown> {
  failed: string;
  change: (
    deps: Deps,
    actor: Actor,
    picture: Uint8Array<ArrayBuffer>,
    version?: number,
  ) => Promise<Outcome<T>>;
  /** What the page shows, read again. */
  shown: (deps: Deps) => Shown;
  done: GivenNotice & { to: string };
}

/** The action of a page that uploads a picture. */
export async function pictureAction<T, Shown extends object>(
  { request, context, url }: Pick<ActionFunctionArgs, "request" | "context" | "url">,
  { failed, change, shown, done: { to, ...notice } }: PictureGiven<T, Shown>,
) {
  const deps = context.get(depsContext);
  const picture = new Uint8Array(await request.arrayBuffer());
  // The request body is only the file.
  const version = check(versionSchema, url.searchParams.get("version") ?? undefined);
  const done = version.ok ? await change(deps, actorOf(context), picture, version.value) : version;
  if (done.ok) return goOn(deps, to, notice);
  const { code, message } = done;
  const errors = code === "stale" ? undefined : [message];
  const answer = { refusal: { title: failed, message }, errors, ...shown(deps) };
  return data(answer, { status: STATUS_OF_CODE[code] });
}
