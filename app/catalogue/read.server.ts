/** The catalogue as it stands, read anew each time: a page is kept until the offer changes. */
import type { Env } from "#app/core/env.server.ts";
import { isLoopbackHost } from "#app/core/env-fields.ts";
import { bookable, type Catalogue } from "#app/model/catalogue.ts";
import type { Db } from "#db/connection.server.ts";
import { readCatalogue } from "#db/queries/catalogue.server.ts";

export { readCatalogue };

interface BookableDeps {
  db: Db;
  env: Pick<Env, "publicUrl" | "sampleDocuments">;
}

/** What visitors may book. Sample captains only where nobody can take them for real ones. */
export function readBookable({ db, env }: BookableDeps): Catalogue {
  const samplesAllowed = env.sampleDocuments || isLoopbackHost(new URL(env.publicUrl).hostname);
  return bookable(readCatalogue(db), samplesAllowed);
}
