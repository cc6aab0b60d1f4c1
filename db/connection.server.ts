/**
 * Opens the SQLite file and is the only importer of the driver. Queries are built with Kysely and
 * run synchronously: nothing can be awaited inside a transaction, so none can be held open by a
 * slow call, and no other query of the process waits for one.
 */
import Database from "better-sqlite3";
import { type Compilable, Kysely, SqliteAdapter, SqliteDialect, sql } from "kysely";
import { Migrator } from "kysely/migration";
import { PAID } from "#app/model/statuses.ts";
import { migrations } from "#db/migrations/index.ts";
import { makePrivateFile } from "./copy-files.ts";
import { type FieldsOf, toFields } from "./row-fields.ts";
import type { Tables } from "./tables.ts";

/** Builds queries; it cannot run them. */
export const sqlite = new Kysely<Tables>({
  dialect: new SqliteDialect({
    database: () => Promise.reject(new Error("This builds queries; db.all and db.run run them.")),
  }),
});

export const COUNT = sqlite.fn.countAll<number>().as("count");

/**
 * A constant in the SQL text. With a parameter, SQLite would prepare the statement again at every run
 * if it compares the column of a partial index.
 */
export const literal = <const Word extends string>(word: Word) => sql.lit(word);

export const literals = <const Word extends string>(words: readonly Word[]) => words.map(literal);

/** For SQL text: `status IN (${PAID_WORDS})`. */
export const PAID_WORDS = PAID.map((status) => `'${status}'`).join();

class Handle {
  readonly path: string;
  readonly driver: Database.Database;
  readonly #statements = new Map<string, Database.Statement>();

  constructor(path: string, driver: Database.Database) {
    this.path = path;
    this.driver = driver;
  }

  all<Row>(query: Compilable<Row>): Row[] {
    const { sql, parameters } = query.compile();
    return this.allRaw(sql, parameters);
  }

  first<Row>(query: Compilable<Row>): Row | null {
    const { sql, parameters } = query.compile();
    return this.firstRaw<Row>(sql, parameters) ?? null;
  }

  /** Like `all`, with the field names used outside `db/`. */
  objects<Row extends object>(query: Compilable<Row>): FieldsOf<Row>[] {
    return this.all(query).map(toFields);
  }

  object<Row extends object>(query: Compilable<Row>): FieldsOf<Row> | null {
    const row = this.first(query);
    return row && toFields(row);
  }

  has(query: Compilable<unknown>): boolean {
    return this.first(query) !== null;
  }

  /** Runs a write and returns the number of rows it changed. */
  run(query: Compilable<unknown>): number {
    const { sql, parameters } = query.compile();
    return this.runRaw(sql, parameters);
  }

  /** Throws unless the file can be read. */
  ping(): void {
    // Of a table: without one SQLite does not look at the file.
    this.firstRaw("SELECT version FROM offer_version");
  }

  /** Runs SQL text: for queries of every request, and those that the builder cannot express. */
  allRaw<Row>(sql: string, parameters: readonly unknown[] = []): Row[] {
    return this.#statement(sql).all(...parameters) as Row[];
  }

  firstRaw<Row>(sql: string, parameters: readonly unknown[] = []): Row | undefined {
    return this.#statement(sql).get(...parameters) as Row | undefined;
  }

  runRaw(sql: string, parameters: readonly unknown[] = []): number {
    return this.#statement(sql).run(...parameters).changes;
  }

  /** Changes when another connection commits, in this or another process. */
  dataVersion(): number {
    return this.driver.pragma("data_version", { simple: true }) as number;
  }

  /**
   * Empties the write-ahead log, in which deleted data can still be read. Does not wait: false while
   * another connection reads.
   */
  emptyLog(): boolean {
    this.driver.pragma("busy_timeout = 0");
    try {
      const [done] = this.driver.pragma("wal_checkpoint(TRUNCATE)") as { busy: number }[];
      return done?.busy === 0;
    } catch (error) {
      // A statement of this connection is still being read.
      if ((error as { code?: string }).code === "SQLITE_LOCKED") return false;
      throw error;
    } finally {
      this.driver.pragma(`busy_timeout = ${BUSY_TIMEOUT}`);
    }
  }

  close(): void {
    this.#statements.clear();
    this.driver.close();
  }

  /** At the end of a block with `using`. */
  [Symbol.dispose](): void {
    this.close();
  }

  /** Prepared once per text; lists of varying length make many texts, so the cache is bounded. */
  #statement(sql: string): Database.Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    if (this.#statements.size >= 500) this.#statements.clear();
    const statement = this.driver.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

export type OpenDb = Pick<Handle, keyof Handle>;

type OfTheFile = "path" | "driver" | "dataVersion" | "emptyLog" | "close" | typeof Symbol.dispose;

/** What every query function takes first: the open file, inside or outside a transaction. */
export type Db = Omit<OpenDb, OfTheFile>;

/**
 * Milliseconds that a write waits for another process before it fails as busy. All requests wait
 * meanwhile, because the driver blocks; it is many times as long as a commit takes.
 */
const BUSY_TIMEOUT = 2_000;

/** Opens (and makes, if missing) the file with its folder. `:memory:` is allowed for tests. */
export function openDb(path: string, options: { readonly?: boolean } = {}): OpenDb {
  // The log and other files beside it get the same rights.
  if (path !== ":memory:" && !options.readonly) makePrivateFile(path);
  const driver = new Database(path, { timeout: BUSY_TIMEOUT, readonly: options.readonly ?? false });
  if (!options.readonly) {
    driver.pragma("journal_mode = WAL");
    // A commit survives the process; with WAL only a power cut can cost the last ones, and money
    // must not be among them.
    driver.pragma("synchronous = FULL");
    // Deleted data is overwritten, in free pages too.
    driver.pragma("secure_delete = ON");
  }
  driver.pragma("foreign_keys = ON");
  // Negative: KiB, for each connection. Beyond it, the system's file cache holds the pages.
  driver.pragma("cache_size = -2000");
  driver.pragma("temp_store = MEMORY");
  return new Handle(path, driver);
}

/**
 * Runs `work` in one immediate transaction: the write lock is taken first, so what is read inside
 * cannot change before the commit. Nested calls join the outer transaction through a savepoint.
 */
export function inTransaction<T>(db: Db, work: (tx: Db) => T): T {
  const handle = db as Handle;
  return handle.driver.transaction(() => work(handle)).immediate() as T;
}

/** Runs `work`, which can only read, on one state of the file, whatever is committed meanwhile. */
export function inSnapshot<T>(db: Db, work: (snapshot: Db) => T): T {
  const handle = db as Handle;
  return handle.driver.transaction(() => work(handle)).deferred() as T;
}

/** SQLite can roll DDL back; Kysely's own adapter says it cannot and would leave half a migration. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class MigratingDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new TransactionalSqliteAdapter();
  }
}

function migratorOf(db: OpenDb): Migrator {
  return new Migrator({
    db: new Kysely({ dialect: new MigratingDialect({ database: db.driver }) }),
    provider: { getMigrations: async () => migrations },
  });
}

/** True for a file of an earlier release; false for a new file. */
export async function isOfFormerRelease(db: OpenDb): Promise<boolean> {
  const known = await migratorOf(db).getMigrations();
  const isDone = ({ executedAt }: { executedAt?: Date | undefined }) => executedAt !== undefined;
  return known.some(isDone) && !known.every(isDone);
}

/** The file has a schema that this release does not know. */
export class NewerSchema extends Error {
  override name = "NewerSchema";

  constructor() {
    super(
      "was written by a newer release: deploy that one, or restore the copy that was made before the upgrade (npm run backup -- --list).",
    );
  }
}

/**
 * Brings the file to the newest schema; all pending migrations in one transaction. Throws NewerSchema,
 * or as the database does.
 */
export async function migrate(db: OpenDb): Promise<string[]> {
  requireKnownSchema(db);
  const { error, results } = await migratorOf(db).migrateToLatest();
  if (error) throw error;
  return (results ?? []).map((result) => result.migrationName);
}

/** Throws NewerSchema. */
export function requireKnownSchema(db: OpenDb): void {
  if (!db.firstRaw("SELECT 1 FROM sqlite_master WHERE name = 'kysely_migration'")) return;
  const done = db.allRaw<{ name: string }>("SELECT name FROM kysely_migration");
  if (done.some(({ name }) => !Object.hasOwn(migrations, name))) throw new NewerSchema();
}

/** True if the error is the overlap trigger's refusal. */
export function isSlotTaken(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.message.includes("slot_taken");
}

/** True if the file cannot be written now: locked by another process, disk full, read-only. */
export function isUnavailable(error: unknown): boolean {
  return (
    error instanceof Database.SqliteError &&
    /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|NOMEM)/.test(error.code)
  );
}
