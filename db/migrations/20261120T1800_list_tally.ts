/** The figures of the whole list, kept as the list changes: counted anew they grow with the years. */
import { type Kysely, sql } from "kysely";

const add = (row: "NEW" | "OLD", sign: "" | "-") => `
  INSERT INTO appointment_tally (counselor_key, status, appointments, kept_paise)
  VALUES (${row}.counselor_key, ${row}.status, ${sign}1, ${sign}${row}.kept_paise)
  ON CONFLICT (counselor_key, status) DO UPDATE SET
    appointments = appointments + excluded.appointments,
    kept_paise = kept_paise + excluded.kept_paise;`;

const statements = [
  `CREATE TABLE appointment_tally (
    counselor_key TEXT NOT NULL,
    status TEXT NOT NULL,
    appointments INTEGER NOT NULL,
    kept_paise INTEGER NOT NULL,
    PRIMARY KEY (counselor_key, status)
  ) STRICT, WITHOUT ROWID`,
  `INSERT INTO appointment_tally (counselor_key, status, appointments, kept_paise)
    SELECT counselor_key, status, count(*), sum(kept_paise) FROM appointment
    GROUP BY counselor_key, status`,
  `CREATE TRIGGER appointment_tally_add AFTER INSERT ON appointment BEGIN ${add("NEW", "")} END`,
  `CREATE TRIGGER appointment_tally_remove AFTER DELETE ON appointment BEGIN ${add("OLD", "-")} END`,
  `CREATE TRIGGER appointment_tally_change
    AFTER UPDATE OF counselor_key, status, kept_paise ON appointment
    WHEN OLD.counselor_key <> NEW.counselor_key OR OLD.status <> NEW.status
      OR OLD.kept_paise <> NEW.kept_paise
    BEGIN ${add("OLD", "-")} ${add("NEW", "")} END`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
