/** The days of a month with their number of sessions: one statement over the index, nothing else. */
import type Database from "better-sqlite3";
import type { LoaderFunctionArgs } from "react-router";
import { given } from "./given.ts";

const DAY = 86_400_000;
const INDIA_OFFSET = 330 * 60_000;

let statement: Database.Statement | null = null;

export function loader({ request }: LoaderFunctionArgs) {
  statement ??= given.floor.db.prepare(
    `SELECT (starts_at + ${INDIA_OFFSET}) / ${DAY} AS day, count(*) AS sessions FROM session_time
     WHERE counselor_key = ? AND starts_at >= ? AND starts_at < ? GROUP BY day`,
  );
  const query = new URL(request.url).searchParams;
  const from = Date.parse(`${query.get("from")}T00:00:00+05:30`);
  const to = Date.parse(`${query.get("to")}T00:00:00+05:30`) + DAY;
  const rows = statement.all("asha", from, to) as { day: number; sessions: number }[];
  const days = Object.fromEntries(
    rows.map(({ day, sessions }) => [new Date(day * DAY).toISOString().slice(0, 10), sessions]),
  );
  return Response.json({ status: "success", data: { days } });
}
