/** The action of a page that uploads a picture. */
import { type ActionFunctionArgs, data } from "react-router";
import { actorOf } from "#app/auth/require-admin.server.ts";
import { type Deps, depsContext } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { check, versionSchema } from "#app/model/fields.ts";
import { type Outcome, STATUS_OF_CODE } from "#app/model/outcome.ts";
import { type GivenNotice, goOn } from "./forms.server.ts";

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
