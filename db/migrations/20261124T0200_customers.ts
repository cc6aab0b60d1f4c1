/**
 * Customers by address with the figures of their list, kept as appointments change. What is erased
 * leaves no trace: searches remove what they indexed, and whoever must be known again is kept as a
 * hash under a random key of this database.
 */
import { createHmac, randomBytes } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { ActivityEntry } from "#app/model/activity.ts";

const BATCH = 5_000;

const isPaid = (row: "NEW." | "OLD." | "") => `(${row}status IN ('confirmed', 'rescheduled'))`;
const latest = (row: "NEW" | "OLD") =>
  `coalesce((SELECT max(starts_at) FROM appointment WHERE lower(email) = lower(${row}.email)), 0)`;

const add = `INSERT INTO customer (id, email, sessions, paid, last_starts_at)
  SELECT lower(hex(randomblob(13))), lower(NEW.email), 1, ${isPaid("NEW.")}, NEW.starts_at
  WHERE NEW.email <> ''
  ON CONFLICT (email) DO UPDATE SET sessions = sessions + 1, paid = paid + excluded.paid,
    last_starts_at = max(last_starts_at, excluded.last_starts_at);`;

const remove = `UPDATE customer SET sessions = sessions - 1, paid = paid - ${isPaid("OLD.")},
    last_starts_at = iif(OLD.starts_at < last_starts_at, last_starts_at, ${latest("OLD")})
  WHERE email = lower(OLD.email);
  DELETE FROM customer WHERE email = lower(OLD.email) AND sessions = 0;`;

const customers = [
  `CREATE TABLE customer (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    email TEXT NOT NULL UNIQUE CHECK (email = lower(email) AND email <> ''),
    sessions INTEGER NOT NULL,
    paid INTEGER NOT NULL,
    last_starts_at INTEGER NOT NULL
  ) STRICT`,
  `INSERT INTO customer (id, email, sessions, paid, last_starts_at)
    SELECT lower(hex(randomblob(13))), lower(email), count(*), sum(${isPaid("")}), max(starts_at)
    FROM appointment WHERE email <> '' GROUP BY lower(email)`,
  "CREATE INDEX customer_by_last ON customer (last_starts_at, seq)",
  `CREATE TRIGGER customer_add AFTER INSERT ON appointment BEGIN ${add} END`,
  `CREATE TRIGGER customer_remove AFTER DELETE ON appointment BEGIN ${remove} END`,
  `CREATE TRIGGER customer_move AFTER UPDATE OF email ON appointment
    WHEN lower(OLD.email) <> lower(NEW.email) BEGIN ${remove} ${add} END`,
  `CREATE TRIGGER customer_change AFTER UPDATE OF email, status, starts_at ON appointment
    WHEN lower(OLD.email) = lower(NEW.email)
      AND (OLD.status <> NEW.status OR OLD.starts_at <> NEW.starts_at)
    BEGIN UPDATE customer SET paid = paid + ${isPaid("NEW.")} - ${isPaid("OLD.")},
      last_starts_at = iif(OLD.starts_at = NEW.starts_at, last_starts_at, ${latest("NEW")})
    WHERE email = lower(NEW.email); END`,
];

const erasures = [
  "DROP TABLE opt_out",
  `CREATE TABLE opt_out (phone_hash TEXT NOT NULL PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID`,
  // One line an erasure, kept for ever: a copy from before is erased by it.
  `CREATE TABLE erasure (
    email_hash TEXT NOT NULL,
    phone_hashes TEXT NOT NULL CHECK (json_valid(phone_hashes)),
    at INTEGER NOT NULL,
    PRIMARY KEY (email_hash, at)
  ) STRICT, WITHOUT ROWID`,
];

/** An index over the rows themselves: only so does it know what to take out. */
const searches = [
  "DROP TRIGGER activity_search_remove",
  "DROP TABLE activity_search",
  `CREATE VIRTUAL TABLE activity_search USING fts5(
    line, content='activity', content_rowid='id', tokenize='trigram')`,
  "INSERT INTO activity_search (activity_search) VALUES ('rebuild')",
  `CREATE TRIGGER activity_search_add AFTER INSERT ON activity BEGIN
    INSERT INTO activity_search (rowid, line) VALUES (NEW.id, NEW.line); END`,
  `CREATE TRIGGER activity_search_remove AFTER DELETE ON activity BEGIN
    INSERT INTO activity_search (activity_search, rowid, line) VALUES ('delete', OLD.id, OLD.line); END`,
  `CREATE TRIGGER activity_search_change AFTER UPDATE OF line ON activity BEGIN
    INSERT INTO activity_search (activity_search, rowid, line) VALUES ('delete', OLD.id, OLD.line);
    INSERT INTO activity_search (rowid, line) VALUES (NEW.id, NEW.line); END`,
  // What was changed or deleted before stands in the old index still.
  "INSERT INTO appointment_search (appointment_search) VALUES ('rebuild')",
  ...["appointment_search", "activity_search"].map(
    (search) => `INSERT INTO ${search} (${search}, rank) VALUES ('secure-delete', 1)`,
  ),
];

export async function up(db: Kysely<unknown>): Promise<void> {
  const run = async (statements: readonly string[]) => {
    for (const statement of statements) await sql.raw(statement).execute(db);
  };
  const key = randomBytes(32).toString("hex");
  // Kept where it is given before: by `restore`, from the file that is replaced.
  await sql`INSERT OR IGNORE INTO setting (key, value) VALUES ('contact_key', ${key})`.execute(db);
  const kept = await sql<{
    value: string;
  }>`SELECT value FROM setting WHERE key = 'contact_key'`.execute(db);
  const { rows: optOuts } = await sql<{
    phone: string;
    at: number;
  }>`SELECT phone, at FROM opt_out`.execute(db);
  await run([...customers, ...erasures]);
  for (const { phone, at } of optOuts) {
    const hash = createHmac("sha256", Buffer.from(kept.rows[0]!.value, "hex")).update(phone);
    await sql`INSERT INTO opt_out (phone_hash, at)
      VALUES (${hash.digest("base64url")}, ${at})`.execute(db);
  }
  await run(["ALTER TABLE activity ADD COLUMN line TEXT NOT NULL DEFAULT ''"]);
  await fillLines(db);
  await run(searches);
}

type Row = Omit<ActivityEntry, "before" | "after"> & { id: number; words: string; about: string };

async function fillLines(db: Kysely<unknown>): Promise<void> {
  // Every thread that opens the file has the migrations, and none the words of the log.
  const { soughtIn } = await import("#app/model/activity-words.ts");
  for (let last = 0; ; ) {
    const { rows } = await sql<Row>`SELECT id, at, actor, action, target, words, about
      FROM activity WHERE id > ${last} ORDER BY id LIMIT ${BATCH}`.execute(db);
    for (const row of rows) {
      await sql`UPDATE activity SET line = ${soughtIn(row, row)} WHERE id = ${row.id}`.execute(db);
      last = row.id;
    }
    if (rows.length < BATCH) return;
  }
}
