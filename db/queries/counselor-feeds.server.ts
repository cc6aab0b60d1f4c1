/** The secrets in the addresses of captains' calendars. */
import { type Db, sqlite } from "#db/connection.server.ts";
import { type NewOf, rowOf } from "#db/objects.ts";
import type { CounselorFeedTable } from "#db/tables.ts";

/** `1` until the first start after they came to be stored, where addresses were given out before. */
export const FEEDS_DERIVED_SETTING = "feeds_derived";

export function listFeeds(db: Db) {
  return db.objects(sqlite.selectFrom("counselor_feed").selectAll());
}

/** Takes the place of the captain's one before. */
export function saveFeed(tx: Db, feed: NewOf<CounselorFeedTable>): void {
  tx.run(sqlite.replaceInto("counselor_feed").values(rowOf(feed)));
}
