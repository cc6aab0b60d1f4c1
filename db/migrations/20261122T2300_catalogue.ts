/**
 * Captains, packages, default times and links become the owner's. A new database starts with the
 * values of the code; one from before goes on with what its code said.
 */
import { type Kysely, sql } from "kysely";
import { COUNSELORS, DEFAULT_TIMES, LINKS, PACKAGES } from "#app/catalogue.ts";

const tables = [
  `CREATE TABLE counselor (
    key TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    years_of_experience INTEGER,
    rating REAL,
    sessions INTEGER,
    specialties TEXT NOT NULL CHECK (json_valid(specialties)),
    email TEXT NOT NULL,
    meeting_url TEXT,
    portrait TEXT,
    active INTEGER NOT NULL CHECK (active IN (0, 1)),
    sample_of TEXT CHECK (json_valid(sample_of)),
    position INTEGER NOT NULL,
    version INTEGER NOT NULL DEFAULT 1,
    updated_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  // Every name that a captain has or had: a former one still resolves and is nobody else's.
  `CREATE TABLE counselor_name (
    name TEXT NOT NULL PRIMARY KEY COLLATE NOCASE,
    counselor_key TEXT NOT NULL REFERENCES counselor (key)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE portrait (
    id TEXT NOT NULL,
    width INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (id, width)
  ) STRICT`,
  `CREATE TABLE package (
    minutes INTEGER NOT NULL PRIMARY KEY CHECK (minutes IN (30, 45, 60)),
    price_rupees INTEGER NOT NULL CHECK (price_rupees BETWEEN 1 AND 40000),
    label TEXT NOT NULL,
    description TEXT NOT NULL,
    active INTEGER NOT NULL CHECK (active IN (0, 1)),
    version INTEGER NOT NULL DEFAULT 1
  ) STRICT`,
  `CREATE TABLE offer_settings (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    default_times TEXT NOT NULL CHECK (json_valid(default_times)),
    links TEXT NOT NULL CHECK (json_valid(links)),
    version INTEGER NOT NULL DEFAULT 1
  ) STRICT`,
  ...["counselor", "package", "offer_settings"].flatMap(changesOffer),
];

/** The triggers by which every change of a table raises the offer's version. */
export function changesOffer(table: string): string[] {
  return ["INSERT", "UPDATE", "DELETE"].map(
    (
      event,
    ) => `CREATE TRIGGER ${table}_changes_offer_${event.toLowerCase()} AFTER ${event} ON ${table} BEGIN
      UPDATE offer_version SET version = version + 1; END`,
  );
}

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of tables) await sql.raw(statement).execute(db);
  for (const [position, captain] of COUNSELORS.entries()) {
    const { key, name, email, portrait, meeting, sample } = captain;
    const sampleOf = sample ? JSON.stringify({ name, email, portrait }) : null;
    await sql`INSERT INTO counselor (key, name, title, description, years_of_experience, rating,
        sessions, specialties, email, meeting_url, portrait, active, sample_of, position, updated_at)
      VALUES (${key}, ${name}, ${captain.title}, ${captain.description},
        ${captain.yearsOfExperience}, ${captain.rating}, ${captain.sessions},
        ${JSON.stringify(captain.specialties)}, ${email},
        ${meeting.kind === "link" ? meeting.url : null}, ${portrait}, 1, ${sampleOf}, ${position},
        ${Date.now()})`.execute(db);
    await sql`INSERT INTO counselor_name (name, counselor_key) VALUES (${name}, ${key})`.execute(
      db,
    );
  }
  for (const { minutes, price, label, description } of PACKAGES) {
    await sql`INSERT INTO package (minutes, price_rupees, label, description, active)
      VALUES (${minutes}, ${price}, ${label}, ${description}, 1)`.execute(db);
  }
  await sql`INSERT INTO offer_settings (id, default_times, links)
    VALUES (1, ${JSON.stringify(DEFAULT_TIMES)}, ${JSON.stringify(Object.values(LINKS))})`.execute(
    db,
  );
}
