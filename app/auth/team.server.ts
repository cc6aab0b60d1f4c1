/** Who works with the bookings: an owner gives roles, and gives access and takes it away. */
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { type Change, change } from "#app/core/change.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { ActivityData } from "#app/model/activity.ts";
import type { Actor, Role } from "#app/model/actor.ts";
import { counselorNamed } from "#app/model/catalogue.ts";
import { newFeedSecret, newId } from "#app/model/ids.ts";
import { failure, invalid, type Outcome, success } from "#app/model/outcome.ts";
import type { Db } from "#db/connection.server.ts";
import {
  deleteCodesOf,
  deleteSessionsOf,
  findAdminByEmail,
  findAdminByUsername,
  insertAdmin,
  updateAdmin,
} from "#db/queries/admins.server.ts";
import { saveFeed } from "#db/queries/counselor-feeds.server.ts";
import {
  type Account,
  countActiveOwners,
  deleteInvitation,
  findAccount,
} from "#db/queries/team.server.ts";
import { sendInvitation } from "./invitation.server.ts";

type TeamDeps = Pick<Deps, "db" | "env" | "now" | "wake">;

const UNKNOWN = failure("not_found", "There is no account of this name.");

const LAST_OWNER =
  "This is the last owner who can sign in. Please make somebody else an owner first.";

const HAS_PASSWORD =
  "This account has its password already. Whoever has lost it sets a new one at “Forgot password?”.";

interface Wish {
  role?: Role | undefined;
  /** By name. */
  counselor?: string | undefined;
}

/** Whether an account may sign in, may once it uses its invitation, or may not. */
export function accessOf({ inactiveSince, passwordHash }: Account): "given" | "invited" | "none" {
  if (inactiveSince !== null) return "none";
  return passwordHash === "" ? "invited" : "given";
}

/**
 * Makes an account and mails its invitation. Refusals: `validation_failed`, `in_use` (username or
 * e-mail address).
 */
export function invite(
  deps: TeamDeps,
  actor: Actor,
  { username, email, ...wish }: { username: string; email: string; role: Role } & Wish,
): Outcome<Account> {
  return change(deps, actor, (made) => {
    const { tx, now } = made;
    const placed = placeOf(tx, wish);
    if (!placed.ok) return placed;
    if (findAdminByUsername(tx, username)) {
      return taken("username", "Another account has this name. Please choose another.");
    }
    if (findAdminByEmail(tx, email)) {
      return taken("email", "Another account has this e-mail address.");
    }
    const account = { id: newId(), username, email, passwordHash: "", ...placed.value };
    insertAdmin(tx, { ...account, createdAt: now, updatedAt: now });
    return inviteIn(deps, made, account);
  });
}

/**
 * Sends a new invitation, which voids the one before. Refusals: `not_found`; `in_use` where a
 * password is set.
 */
export function inviteAgain(deps: TeamDeps, actor: Actor, username: string): Outcome<Account> {
  return change(deps, actor, (made) => {
    const account = findAccount(made.tx, username);
    if (!account) return UNKNOWN;
    if (account.passwordHash !== "") return failure("in_use", HAS_PASSWORD);
    updateAdmin(made.tx, account.id, made.now, { inactiveSince: null });
    return inviteIn(deps, made, account);
  });
}

/**
 * Another role, another captain, access given or taken away; what is absent stays. Refusals:
 * `not_found`, `validation_failed`, `in_use` (the last owner).
 */
export function changeAccount(
  deps: TeamDeps,
  actor: Actor,
  username: string,
  { active, ...wish }: Wish & { active?: boolean | undefined },
): Outcome<Account> {
  return change(deps, actor, (made) => {
    const { tx, now, log } = made;
    const before = findAccount(tx, username);
    if (!before) return UNKNOWN;
    const placed = placeOf(tx, wish, before);
    if (!placed.ok) return placed;
    const { role, counselorKey } = placed.value;
    const stays = active ?? before.inactiveSince === null;
    const inactiveSince = stays ? null : (before.inactiveSince ?? now);
    const losesOwner = isActiveOwner(before) && !(role === "owner" && stays);
    if (losesOwner && countActiveOwners(tx, before.id) === 0) return failure("in_use", LAST_OWNER);

    updateAdmin(tx, before.id, now, { role, counselorKey, inactiveSince });
    const after = { ...before, role, counselorKey, inactiveSince };
    const told = { before: factsOf(before), after: factsOf(after) };
    if (JSON.stringify(told.before) !== JSON.stringify(told.after)) {
      log("team_change", targetOf(before), told);
    }
    if (before.inactiveSince === null && !stays) endAccess(tx, before);
    const hadFeed = before.counselorKey !== null && accessOf(before) === "given";
    if (hadFeed && (counselorKey !== before.counselorKey || !stays)) renewFeed(made, before);
    // Asked for again, it is given again: a lost invitation is no other matter.
    const wantsInvitation = active === true && before.passwordHash === "";
    return wantsInvitation ? inviteIn(deps, made, after) : found(tx, username);
  });
}

/** The role and the captain that an account is to have: a captain's account has one, no other. */
function placeOf(
  tx: Db,
  { role, counselor }: Wish,
  before?: Account,
): Outcome<{ role: Role; counselorKey: string | null }> {
  const becomes = role ?? before?.role ?? "staff";
  if (becomes !== "captain") {
    if (counselor === undefined) return success({ role: becomes, counselorKey: null });
    return invalid({ counselor: ["Only a captain's account belongs to a captain"] });
  }
  if (counselor === undefined) {
    const counselorKey = before?.counselorKey ?? null;
    if (counselorKey !== null) return success({ role: becomes, counselorKey });
    return invalid({ counselor: ["Please select the captain whose account this is"] });
  }
  const named = counselorNamed(readCatalogue(tx), counselor);
  return named.ok ? success({ role: becomes, counselorKey: named.value.key }) : named;
}

function inviteIn(
  deps: TeamDeps,
  { tx, now, log }: Change,
  account: Pick<Account, "id" | "username" | "email" | "role"> & Pick<Account, "counselorKey">,
): Outcome<Account> {
  sendInvitation(tx, deps.env, now, account);
  const { email, role, counselorKey } = account;
  const after = { email, role, ...(counselorKey && { counselor: counselorKey }) };
  log("team_invite", targetOf(account), { after });
  return found(tx, account.username);
}

function found(tx: Db, username: string): Outcome<Account> {
  const account = findAccount(tx, username);
  return account ? success(account) : UNKNOWN;
}

function taken(field: string, message: string) {
  return failure("in_use", message, { errors: { [field]: [message] } });
}

function isActiveOwner(account: Account): boolean {
  return account.role === "owner" && accessOf(account) === "given";
}

/** A browser that the account knew is a stranger's until access is given again. */
function endAccess(tx: Db, { id }: Account): void {
  deleteInvitation(tx, id);
  deleteSessionsOf(tx, id);
  deleteCodesOf(tx, id);
}

/** Whoever knew the address of the captain's calendar knows it no longer. */
function renewFeed({ tx, now, log }: Change, { counselorKey }: Account): void {
  if (counselorKey === null) return;
  saveFeed(tx, { counselorKey, secret: newFeedSecret(), createdAt: now });
  log("feed_renewed", counselorKey);
}

function factsOf(account: Account): ActivityData {
  const { role, counselorKey } = account;
  return { role, counselor: counselorKey, access: accessOf(account) };
}

/** A name alone might be a captain's key. */
function targetOf({ username }: Pick<Account, "username">): string {
  return `account ${username}`;
}
