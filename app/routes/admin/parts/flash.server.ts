/** The notice that the next page shows: a signed cookie that lives for one page. */
import { createCookie } from "react-router";
import { hostCookieName } from "#app/core/cookie-name.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { newId } from "#app/model/ids.ts";
import type { Flash } from "./notice.tsx";

const MAX_AGE_SECONDS = 60;

function cookieOf({ publicUrl, sessionSecrets }: Deps["env"]) {
  return createCookie(hostCookieName(publicUrl, "admin_notice"), {
    // Also for `/admin.data`, which scripts ask for.
    path: "/",
    httpOnly: true,
    sameSite: "lax",
    secure: publicUrl.startsWith("https:"),
    // A key of its own: no other signed cookie passes for this one.
    secrets: sessionSecrets.map((secret) => `${secret} notice`),
    maxAge: MAX_AGE_SECONDS,
  });
}

export function flashHeader(
  { env }: Pick<Deps, "env">,
  flash: { title: string; description?: string; variant?: Flash["variant"] },
): Promise<string> {
  return cookieOf(env).serialize({
    id: newId(8),
    title: flash.title,
    description: flash.description ?? "",
    variant: flash.variant ?? "default",
  } satisfies Flash);
}

export async function readFlash(
  { env }: Pick<Deps, "env">,
  request: Request,
): Promise<Flash | null> {
  return (await cookieOf(env).parse(request.headers.get("cookie"))) as Flash | null;
}

export function clearFlash({ env }: Pick<Deps, "env">): Promise<string> {
  return cookieOf(env).serialize("", { maxAge: 0 });
}
