/** The accounts of the business with their invitations. Instants are milliseconds UTC. */
import { sql } from "kysely";
import type { InvitationTable } from "#db/account-tables.ts";
import { COUNT, type Db, sqlite } from "#db/connection.server.ts";
import { type NewOf, rowOf } from "#db/objects.ts";

const accounts = sqlite
  .selectFrom("admin as a")
  .leftJoin("invitation as i", "i.admin_id", "a.id")
  .selectAll("a")
  .select("i.expires_at as invited_until");

/** By role in the order of the table of roles, then by name. */
export function listAccounts(db: Db) {
  return db.objects(
    accounts
      .orderBy((eb) => eb.case().when("role", "=", "owner").then(0).else(1).end())
      .orderBy("role", "desc")
      .orderBy("username"),
  );
}

export type Account = ReturnType<typeof listAccounts>[number];

export function findAccount(db: Db, username: string) {
  return db.object(accounts.where("username", "=", username));
}

/** Whose open invitation has the token; one that is late is none. */
export function findInvited(db: Db, tokenHash: string, now: number) {
  return db.object(accounts.where("i.token_hash", "=", tokenHash).where("i.expires_at", ">", now));
}

/** Takes the place of the account's one before. */
export function saveInvitation(tx: Db, invitation: NewOf<InvitationTable>): void {
  tx.run(sqlite.replaceInto("invitation").values(rowOf(invitation)));
}

export function deleteInvitation(tx: Db, adminId: string): void {
  tx.run(sqlite.deleteFrom("invitation").where("admin_id", "=", adminId));
}

/** True if the mail of an invitation to the address was given up since then. */
export function hasLostInvitation(db: Db, email: string, since: number): boolean {
  return db.has(
    sqlite
      .selectFrom("message")
      .select("id")
      .where("state", "=", sql.lit("failed"))
      .where("created_at", ">=", since)
      .where("kind", "=", "team_invitation")
      .where("recipient", "=", email),
  );
}

/** Owners who can sign in, but for the one named. */
export function countActiveOwners(db: Db, exceptId = ""): number {
  return db.first(
    sqlite
      .selectFrom("admin")
      .select(COUNT)
      .where("role", "=", "owner")
      .where("inactive_since", "is", null)
      .where("password_hash", "<>", "")
      .where("id", "<>", exceptId),
  )!.count;
}
