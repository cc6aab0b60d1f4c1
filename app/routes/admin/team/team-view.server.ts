/** The view of the team page. */
import { accessOf, INVITATION_MS } from "#app/auth/team.server.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { findCounselorByKey } from "#app/model/catalogue.ts";
import { adminInstant } from "#app/model/dates.ts";
import { type Account, hasLostInvitation, listAccounts } from "#db/queries/admins.server.ts";

export type AccountView = ReturnType<typeof readTeam>["accounts"][number];

export function readTeam({ db, now }: Pick<Deps, "db" | "now">, me: { id: string }) {
  const catalogue = readCatalogue(db);
  return {
    accounts: listAccounts(db).map((account) => {
      const { username, email, role, counselorKey, invitedUntil } = account;
      const counselor = counselorKey && findCounselorByKey(catalogue, counselorKey);
      return {
        username,
        email,
        role,
        isMe: account.id === me.id,
        counselor: counselor ? counselor.name : null,
        access: accessOf(account),
        neverSignedIn: account.passwordHash === "",
        state: stateOf(account, now()),
        /** The mail with the open invitation has finally failed. */
        notMailed:
          invitedUntil !== null && hasLostInvitation(db, email, invitedUntil - INVITATION_MS),
      };
    }),
    counselors: catalogue.counselors.map(({ name }) => name),
  };
}

function stateOf({ inactiveSince, passwordHash, invitedUntil }: Account, now: number): string {
  if (inactiveSince !== null) return `No access since ${adminInstant(inactiveSince)}`;
  if (passwordHash !== "") return "Active";
  if (invitedUntil === null || invitedUntil <= now) {
    return "Not joined: the invitation has ended. Please send it anew";
  }
  return `Invited: the link works until ${adminInstant(invitedUntil)}`;
}
