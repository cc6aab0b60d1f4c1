/** Who acts: a signed-in admin, or the customer on the booking's own page. */
export type Actor = { kind: "admin"; username: string } | { kind: "customer" };

/** The name the activity log keeps. */
export function actorName(actor: Actor): string {
  return actor.kind === "admin" ? actor.username : "customer";
}
