/** The notice that the next page shows: a signed cookie that lives for one page. */
import { cookieOf } from "#app/core/cookies.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { newId } from "#app/model/ids.ts";
import type { Flash } from "./notice.tsx";

/** For the whole site: scripts ask for `/admin.data`. */
const cookie = cookieOf<Flash>("admin_notice", { maxAgeSeconds: 60, key: "notice" });

export function flashHeader(
  { env }: Pick<Deps, "env">,
  flash: { title: string; description?: string; variant?: Flash["variant"] },
): Promise<string> {
  const { title, description = "", variant = "default" } = flash;
  return cookie.header(env, { id: newId(8), title, description, variant });
}

export function readFlash({ env }: Pick<Deps, "env">, request: Request): Promise<Flash | null> {
  return cookie.read(env, request.headers.get("cookie"));
}

export function clearFlash({ env }: Pick<Deps, "env">): Promise<string> {
  return cookie.header(env, null);
}
