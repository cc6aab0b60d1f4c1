/** Creates accounts and sets passwords outside the pages: at the first start and by command. */
import type { Deps, ReadDeps } from "#app/core/deps.server.ts";
import type { Env } from "#app/core/env.server.ts";
import { type Role, SHORTEST_PASSWORD } from "#app/model/actor.ts";
import { check } from "#app/model/fields.ts";
import { newId } from "#app/model/ids.ts";
import { invalid, type Outcome, success } from "#app/model/outcome.ts";
import { inTransaction } from "#db/connection.server.ts";
import { logActivity } from "#db/queries/activity.server.ts";
import {
  countActiveOwners,
  countAdmins,
  deleteCodesOf,
  deleteInvitation,
  deleteSessionsOf,
  findAdminByEmail,
  findAdminByUsername,
  insertAdmin,
  updateAdmin,
} from "#db/queries/admins.server.ts";
import { inviteSchema, LONGEST_PASSWORD } from "./fields.ts";
import { hashPassword, isWeakPassword } from "./password.server.ts";
import { hasSecondFactor, NO_SECOND_FACTOR } from "./second-factor.server.ts";

export interface NewAdmin {
  username: string;
  email: string;
  password: string;
}

/** Why a first password is refused, as the end of a sentence, or null. */
export async function firstPasswordFault(
  { username, email, password }: NewAdmin,
  { business }: Pick<Deps["env"], "business">,
): Promise<string | null> {
  if (password.length < SHORTEST_PASSWORD) {
    return `must have at least ${SHORTEST_PASSWORD} characters`;
  }
  if (password.length > LONGEST_PASSWORD) return `must have at most ${LONGEST_PASSWORD} characters`;
  const isWeak = await isWeakPassword(password, [username, email, business.name]);
  return isWeak ? "is among the first that anybody would try" : null;
}

/**
 * Adds an owner. Refusal: `validation_failed` for a username that no invitation could have, if it or
 * the e-mail address is taken, or, with `isFirst`, if there is any account.
 */
export async function createAdmin(
  deps: Pick<Deps, "db" | "now">,
  { username, email, password }: NewAdmin,
  { isFirst = false } = {},
): Promise<Outcome<{ username: string; role: Role }>> {
  const named = check(inviteSchema.pick({ username: true }), { username });
  if (!named.ok) return named;
  const passwordHash = await hashPassword(password);
  return inTransaction(deps.db, (tx) => {
    if (findAdminByUsername(tx, username) || (isFirst && countAdmins(tx) > 0)) {
      return invalid({ username: ["There is an account of this name already."] });
    }
    if (findAdminByEmail(tx, email)) {
      return invalid({ email: ["Another account has this e-mail address."] });
    }
    const now = deps.now();
    const account = { id: newId(), username, email, passwordHash };
    insertAdmin(tx, { ...account, createdAt: now, updatedAt: now });
    logActivity(tx, { at: now, actor: "system", action: "admin_create", target: username });
    return success({ username, role: "owner" });
  });
}

/**
 * Sets an account's password and e-mail address, turns its second factor off, gives it access, ends
 * its sessions and voids mailed codes and its invitation, so that a person who lost everything gets
 * in again. The role stays, unless there is no active owner.
 * Refusal: `validation_failed` for an unknown name, or an address that another account has.
 */
export async function setPassword(
  deps: Pick<Deps, "db" | "now">,
  { username, email, password }: NewAdmin,
): Promise<Outcome<{ username: string; role: Role }>> {
  const passwordHash = await hashPassword(password);
  return inTransaction(deps.db, (tx) => {
    const admin = findAdminByUsername(tx, username);
    if (!admin) return invalid({ username: ["There is no account of this name."] });
    const owner = findAdminByEmail(tx, email);
    if (owner && owner.id !== admin.id) {
      return invalid({ email: ["Another account has this e-mail address."] });
    }
    const now = deps.now();
    // Without an active owner nobody could give the account that role later.
    const role = countActiveOwners(tx) === 0 ? "owner" : admin.role;
    const counselorKey = role === "captain" ? admin.counselorKey : null;
    updateAdmin(tx, admin.id, now, {
      passwordHash,
      email,
      role,
      counselorKey,
      inactiveSince: null,
      ...NO_SECOND_FACTOR,
    });
    deleteSessionsOf(tx, admin.id);
    deleteCodesOf(tx, admin.id);
    deleteInvitation(tx, admin.id);
    const after = {
      ...(hasSecondFactor(admin) && { secondFactor: "off" }),
      ...(role !== admin.role && { role }),
      ...(admin.inactiveSince !== null && { access: "given" }),
    };
    logActivity(tx, {
      at: now,
      actor: "system",
      action: "admin_set_password",
      target: admin.username,
      after: Object.keys(after).length > 0 ? after : null,
    });
    return success({ username: admin.username, role });
  });
}

const NAMES = ["ADMIN_USERNAME", "ADMIN_PASSWORD", "ADMIN_EMAIL"] as const;

/**
 * Creates the first account. Returns the faults that must stop the start, each naming its variable:
 * in production a missing value or a weak password. An existing account is never touched, and in
 * development without values there is no account and no fault. `source` is what `env` was parsed
 * from.
 */
export async function ensureFirstAdmin(
  deps: ReadDeps,
  source: Record<string, string | undefined> = process.env,
): Promise<string[]> {
  const { db, env } = deps;
  if (countAdmins(db) > 0) return [];
  const first = env.firstAdmin;
  if (!first) return missingAdmin(env, source);
  const weakness = env.production ? await firstPasswordFault(first, env) : null;
  if (weakness) return [`ADMIN_PASSWORD ${weakness}`];
  // Another process may have created it meanwhile, which is as good.
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
