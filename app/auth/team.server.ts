/** The team: an owner invites people, and changes their roles and access. */
import { randomBytes } from "node:crypto";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { type Change, change } from "#app/core/change.server.ts";
import type { Device } from "#app/core/cookies.server.ts";
import type { ChangeDeps, Client, Deps } from "#app/core/deps.server.ts";
import { sha256 } from "#app/core/secrets.server.ts";
import type { ActivityData } from "#app/model/activity.ts";
import { type Actor, accountNamed, type Role } from "#app/model/actor.ts";
import { counselorNamed } from "#app/model/catalogue.ts";
import { HOUR } from "#app/model/dates.ts";
import { newFeedSecret, newId } from "#app/model/ids.ts";
import { failure, invalid, type Outcome, success } from "#app/model/outcome.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import { logActivity } from "#db/queries/activity.server.ts";
import {
  type Account,
  countActiveOwners,
  deleteCodesOf,
  deleteInvitation,
  deleteSessionsOf,
  findAccount,
  findAdminByEmail,
  findAdminByUsername,
  findInvited,
  insertAdmin,
  saveInvitation,
  updateAdmin,
} from "#db/queries/admins.server.ts";
import { saveFeed } from "#db/queries/catalogue.server.ts";
import { countResetCall } from "./limits.server.ts";
import { firstPasswordFault } from "./manage-admins.server.ts";
import { hashNewPassword } from "./password.server.ts";
import { deviceOf, TOKEN_PATTERN } from "./session.server.ts";

const UNKNOWN = failure("not_found", "There is no account of this name.");

const LAST_OWNER =
  "This is the last owner who can sign in. Please make somebody else an owner first.";

const HAS_PASSWORD =
  "This account has its password already. Whoever has lost it sets a new one at “Forgot password?”.";

interface RoleRequest {
  role?: Role | undefined;
  /** The captain's name. */
  counselor?: string | undefined;
}

/** `invited`: may sign in once the invitation is used. */
export function accessOf({ inactiveSince, passwordHash }: Account): "given" | "invited" | "none" {
  if (inactiveSince !== null) return "none";
  return passwordHash === "" ? "invited" : "given";
}

/**
 * Creates an account and mails its invitation. Refusals: `validation_failed`, `in_use` (username or
 * e-mail address).
 */
export function invite(
  deps: ChangeDeps,
  actor: Actor,
  { username, email, ...request }: { username: string; email: string; role: Role } & RoleRequest,
): Outcome<Account> {
  return change(deps, actor, (changing) => {
    const { tx, now } = changing;
    const resolved = resolveRole(tx, request, null);
    if (!resolved.ok) return resolved;
    if (findAdminByUsername(tx, username)) {
      return taken("username", "Another account has this name. Please choose another.");
    }
    if (findAdminByEmail(tx, email)) {
      return taken("email", "Another account has this e-mail address.");
    }
    const account = { id: newId(), username, email, passwordHash: "", ...resolved.value };
    insertAdmin(tx, { ...account, createdAt: now, updatedAt: now });
    return inviteIn(deps, changing, account);
  });
}

/**
 * Gives access again and mails a new invitation, which voids the previous one. Refusals:
 * `not_found`, `in_use` (the account has a password).
 */
export function inviteAgain(deps: ChangeDeps, actor: Actor, username: string): Outcome<Account> {
  return change(deps, actor, (changing) => {
    const account = findAccount(changing.tx, username);
    if (!account) return UNKNOWN;
    if (account.passwordHash !== "") return failure("in_use", HAS_PASSWORD);
    updateAdmin(changing.tx, account.id, changing.now, { inactiveSince: null });
    return inviteIn(deps, changing, account);
  });
}

/**
 * Changes role, captain or access; fields left out stay. Refusals: `not_found`,
 * `validation_failed`, `in_use` (the last owner).
 */
export function changeAccount(
  deps: ChangeDeps,
  actor: Actor,
  username: string,
  { active, ...request }: RoleRequest & { active?: boolean | undefined },
): Outcome<Account> {
  return change(deps, actor, (changing) => {
    const { tx, now, log } = changing;
    const before = findAccount(tx, username);
    if (!before) return UNKNOWN;
    const wanted = { ...request, role: request.role ?? before.role };
    const resolved = resolveRole(tx, wanted, before.counselorKey);
    if (!resolved.ok) return resolved;
    const { role, counselorKey } = resolved.value;
    const stays = active ?? before.inactiveSince === null;
    const inactiveSince = stays ? null : (before.inactiveSince ?? now);
    const wasOwner = before.role === "owner" && accessOf(before) === "given";
    const losesOwner = wasOwner && !(role === "owner" && stays);
    if (losesOwner && countActiveOwners(tx, before.id) === 0) return failure("in_use", LAST_OWNER);

    updateAdmin(tx, before.id, now, { role, counselorKey, inactiveSince });
    const after = { ...before, role, counselorKey, inactiveSince };
    const facts = { before: factsOf(before), after: factsOf(after) };
    if (JSON.stringify(facts.before) !== JSON.stringify(facts.after)) {
      log("team_change", targetOf(before), facts);
    }
    if (before.inactiveSince === null && !stays) {
      deleteInvitation(tx, before.id);
      deleteSessionsOf(tx, before.id);
      deleteCodesOf(tx, before.id);
    }
    const fed = accessOf(before) === "given" ? before.counselorKey : null;
    if (fed !== null && (counselorKey !== fed || !stays)) renewFeed(changing, fed);
    // Giving access to an account without a password sends its invitation again.
    const wantsInvitation = active === true && before.passwordHash === "";
    return wantsInvitation ? inviteIn(deps, changing, after) : found(tx, username);
  });
}

/** The role and captain that an account is to have: captains' accounts have one, others none. */
function resolveRole(
  tx: Db,
  { role, counselor }: RoleRequest & { role: Role },
  counselorKey: string | null,
): Outcome<{ role: Role; counselorKey: string | null }> {
  if (role !== "captain") {
    if (counselor === undefined) return success({ role, counselorKey: null });
    return invalid({ counselor: ["Only a captain's account belongs to a captain"] });
  }
  if (counselor === undefined) {
    if (counselorKey !== null) return success({ role, counselorKey });
    return invalid({ counselor: ["Please select the captain whose account this is"] });
  }
  const named = counselorNamed(readCatalogue(tx), counselor);
  return named.ok ? success({ role, counselorKey: named.value.key }) : named;
}

/** Mails a new invitation, which voids the account's previous one. */
function inviteIn(
  deps: ChangeDeps,
  { tx, now, log }: Change,
  account: Pick<Account, "id" | "username" | "email" | "role" | "counselorKey">,
): Outcome<Account> {
  const { id, email, role, counselorKey } = account;
  const token = randomBytes(32).toString("base64url");
  const expiresAt = now + INVITATION_MS;
  saveInvitation(tx, { adminId: id, tokenHash: sha256(token), expiresAt });
  queueMessages(tx, deps.env, now, {
    type: "team_invitation",
    requestId: newId(),
    email,
    role,
    code: token,
    expiresAt,
  });
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

/** Replaces the captain's calendar address, so that the one the account knew stops working. */
function renewFeed({ tx, now, log }: Change, counselorKey: string): void {
  saveFeed(tx, { counselorKey, secret: newFeedSecret(), createdAt: now });
  log("feed_renewed", counselorKey);
}

function factsOf(account: Account): ActivityData {
  const { role, counselorKey } = account;
  return { role, counselor: counselorKey, access: accessOf(account) };
}

/** The account as a target in the log, where a name alone could be a captain's key. */
function targetOf({ username }: Pick<Account, "username">): string {
  return `account ${username}`;
}

export const INVITATION_MS = 72 * HOUR;

/** The same whether the invitation was used, has expired, was withdrawn or never existed. */
const NO_INVITATION = failure(
  "not_found",
  "This invitation is not good any more. Please ask an owner of the business for a new one, or sign in if you have set your password.",
);

/** The account of an invitation, which stays valid. Refusal: `not_found`. */
export function readInvitation(
  { db, now }: { db: Db } & Pick<Deps, "now">,
  token: string,
): Outcome<Account> {
  const account = TOKEN_PATTERN.test(token) ? findInvited(db, sha256(token), now()) : null;
  return account ? success(account) : NO_INVITATION;
}

/**
 * Sets the account's first password and deletes the invitation. Returns the device by which the
 * account will know this browser. Refusals: `not_found`, `validation_failed` (a weak password; the
 * invitation stays valid), `rate_limited`, `unavailable`.
 */
export async function acceptInvitation(
  deps: Deps,
  token: string,
  { newPassword }: { newPassword: string },
  client: Pick<Client, "address" | "device">,
): Promise<Outcome<Device>> {
  const tooMany = countResetCall(deps, client);
  if (tooMany) return tooMany;
  const invited = readInvitation(deps, token);
  if (!invited.ok) return invited;
  const { username, email } = invited.value;
  const fault = await firstPasswordFault({ username, email, password: newPassword }, deps.env);
  if (fault) return invalid({ newPassword: [`The password ${fault}. Please choose another one.`] });
  const hashed = await hashNewPassword(deps, invited.value, newPassword);
  if (!hashed.ok) return hashed;
  return inTransaction(deps.db, (tx): Outcome<Device> => {
    // Hashing took a moment, in which the invitation may have been used, withdrawn or replaced.
    const still = readInvitation({ db: tx, now: deps.now }, token);
    if (!still.ok) return still;
    const now = deps.now();
    const { id } = still.value;
    updateAdmin(tx, id, now, { passwordHash: hashed.value });
    deleteInvitation(tx, id);
    logActivity(tx, { at: now, ...accountNamed(still.value), action: "team_join" });
    return success(deviceOf({ id, passwordHash: hashed.value }, client.device));
  });
}
