/** The first account, from the environment, while the database has none. */
import type { Deps } from "#app/core/deps.server.ts";
import type { Env } from "#app/core/env.server.ts";
import { countAdmins } from "#db/queries/admins.server.ts";
import { createAdmin, firstPasswordFault } from "./manage-admins.server.ts";

const NAMES = ["ADMIN_USERNAME", "ADMIN_PASSWORD", "ADMIN_EMAIL"] as const;

/**
 * Makes the first account. Answers the faults that must stop the start, each naming its variable:
 * in production a missing value or a weak password. An existing account is never touched, and in
 * development without values there is no account and no fault. `source` is what the environment
 * was parsed from.
 */
export async function ensureFirstAdmin(
  deps: Pick<Deps, "db" | "env" | "now">,
  source: Record<string, string | undefined> = process.env,
): Promise<string[]> {
  const { db, env } = deps;
  if (countAdmins(db) > 0) return [];
  const first = env.firstAdmin;
  if (!first) return missingAdmin(env, source);
  const weakness = env.production ? await firstPasswordFault(first, env) : null;
  if (weakness) return [`ADMIN_PASSWORD ${weakness}`];
  // Another process may have made it meanwhile; then there is one, and that is enough.
  const made = await createAdmin(deps, first, { isFirst: true });
  return made.ok || countAdmins(db) > 0 ? [] : [`ADMIN_USERNAME ${made.message}`];
}

/** In production, a line for each value missing to make the first account. */
export function missingAdmin(
  env: Pick<Env, "production">,
  source: Record<string, string | undefined>,
): string[] {
  if (!env.production) return [];
  return NAMES.filter((name) => !source[name]?.trim()).map(
    (name) => `${name} is missing (there is no admin account yet)`,
  );
}
