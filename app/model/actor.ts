/** Who acts: a signed-in person of the business, or the customer on the booking's own page. */

export const ROLES = ["owner", "staff", "captain"] as const;

export type Role = (typeof ROLES)[number];

export type Actor =
  | {
      kind: "admin";
      username: string;
      role: Role;
      /** How the request was admitted; `change` checks it again. */
      session?: { tokenHash: string; counselorKey: string | null };
    }
  | { kind: "customer" };

/** The name in the activity log, and the role in which that person acted. */
export function actorNamed(actor: Actor): { actor: string; role: Role | null } {
  return actor.kind === "admin" ? accountNamed(actor) : { actor: "customer", role: null };
}

export function accountNamed({ username, role }: { username: string; role: Role }) {
  return { actor: username, role };
}

/** Characters of a password set by a mailed code. */
export const SHORTEST_RESET_PASSWORD = 6;
/** Characters of one that a signed-in person chooses, or that an account begins with. */
export const SHORTEST_PASSWORD = 12;
