/** What the doctor asks the file. Instants are milliseconds UTC. */
import { sql } from "kysely";
import { type Db, literal, literals, sqlite } from "#db/connection.server.ts";

/** The doctor's own event, which is stored as the provider's are. */
const OWN_EVENT = "doctor.check";

/** When the file got its first schema: of a restored one, when the business began. */
export function findFirstUseAt(db: Db): number {
  // By hand: the builder does not know the migrator's own table.
  const first = "SELECT min(timestamp) AS at FROM kysely_migration";
  return Date.parse(db.firstRaw<{ at: string }>(first)!.at);
}

export function findLastEventAt(db: Db): number | null {
  const events = sqlite.selectFrom("provider_event").select("received_at as at");
  const theirs = events.where("kind", "!=", OWN_EVENT).orderBy("received_at", "desc").limit(1);
  return db.first(theirs)?.at ?? null;
}

/** True if the provider took money between the two. */
export function hasPaymentSince(db: Db, { after, before }: { after: number; before: number }) {
  return db.has(
    sqlite
      .selectFrom("payment")
      .select("payment_id")
      .where("captured_at", ">", after)
      .where("captured_at", "<=", before)
      // Money received outside has the date on which it came in.
      .where("received_on", "is", null)
      .limit(1),
  );
}

/** Kinds whose last message failed because Meta has paused or disabled their template. */
export function listPausedTemplates(db: Db, since: number): string[] {
  const failed = sqlite
    .selectFrom("message")
    .select("kind")
    .distinct()
    .where("state", "=", literal("failed"))
    .where("created_at", ">", since)
    .where("channel", "=", "whatsapp")
    .where(sql<boolean>`last_error GLOB '*WhatsApp 13201[56]*'`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("message as later")
            .select("later.id")
            .where("later.channel", "=", "whatsapp")
            .where("later.state", "in", literals(["sent", "delivered", "read"]))
            .whereRef("later.kind", "=", "message.kind")
            .whereRef("later.sent_at", ">", "message.created_at"),
        ),
      ),
    );
  return db.all(failed.orderBy("kind")).map(({ kind }) => kind);
}
