/** The statements behind `GET /api/slots`, without the rules: the default times are the answer. */
import type { LoaderFunctionArgs } from "react-router";
import { DEFAULT_TIMES } from "../../../app/catalogue.ts";
import { given } from "./given.ts";

const DAY = 86_400_000;

const prepare = () => {
  const { db } = given.floor;
  return {
    set: db.prepare(
      "SELECT on_date, time_slots FROM availability WHERE counselor_key = ? AND on_date BETWEEN ? AND ?",
    ),
    blocked: db.prepare(
      "SELECT on_date, time_slot FROM block WHERE counselor_key = ? AND on_date BETWEEN ? AND ?",
    ),
    taken: db.prepare(
      `SELECT starts_at AS startsAt, ends_at AS endsAt FROM session_time
       WHERE counselor_key = ? AND starts_at > ? AND starts_at < ?
         AND (held_until IS NULL OR held_until > ?) AND appointment_id <> ?`,
    ),
  };
};
let statements: ReturnType<typeof prepare> | null = null;

export function loader({ request }: LoaderFunctionArgs) {
  statements ??= prepare();
  const query = new URL(request.url).searchParams;
  const date = query.get("date") ?? "";
  const midnight = Date.parse(`${date}T00:00:00+05:30`);
  statements.set.all("asha", date, date);
  statements.blocked.all("asha", date, date);
  statements.taken.all("asha", midnight - 4 * 3_600_000, midnight + DAY, Date.now(), "");
  return Response.json({
    status: "success",
    data: { availableSlots: DEFAULT_TIMES, defaultSlots: DEFAULT_TIMES },
  });
}
