/** Where on a day's column each thing stands. */
import type { BusyTime, CounselorDay } from "#app/booking/dashboard.server.ts";
import { minutesOf } from "#app/model/dates.ts";
import { BLOCK_MINUTES, type Block, MASTER_TIMES } from "#app/model/day-plan.ts";

/** A day's column has one row for each half hour of the master list. */
const FIRST_MINUTE = minutesOf(MASTER_TIMES[0]!);

/** The row in which a minute of the day lies; below 0 and from 26 on it is outside the column. */
export function rowOf(minute: number): number {
  return Math.floor((minute - FIRST_MINUTE) / BLOCK_MINUTES);
}

type Session = CounselorDay["sessions"][number];

/** Half hours one below the other that belong together, with all that touches them. */
export interface Cell {
  row: number;
  rows: number;
  /** What it is first of all; a session stands also in blocked or busy time. */
  kind: "session" | "blocked" | "busy" | "free" | "none";
  sessions: Session[];
  blocked: Block[];
  busy: BusyTime[];
}

/** The column from top to bottom, without gaps. What begins or ends outside is cut, no session is lost. */
export function cellsOf({ offered, blocked, busy, sessions }: CounselorDay): Cell[] {
  const cells: Cell[] = [];
  const last = MASTER_TIMES.length - 1;
  for (const [row, timeSlot] of MASTER_TIMES.entries()) {
    const touching = {
      sessions: sessions.filter(({ timeSlot, minutes }) => {
        const start = minutesOf(timeSlot);
        const first = Math.min(Math.max(rowOf(start), 0), last);
        return first === row || (first < row && row <= rowOf(start + minutes - 1));
      }),
      blocked: blocked.filter((block) => block.timeSlot === timeSlot),
      busy: busy.filter(({ from, to }) => {
        return rowOf(minutesOf(from)) <= row && row <= rowOf(minutesOf(to) - 1);
      }),
    };
    const kind = kindOf(touching) ?? (offered.includes(timeSlot) ? "free" : "none");
    const above = cells.at(-1);
    if (above?.kind !== kind || !belongTogether(above, touching)) {
      cells.push({ row, rows: 1, kind, ...touching });
      continue;
    }
    above.rows += 1;
    above.sessions = union(above.sessions, touching.sessions);
    above.blocked = union(above.blocked, touching.blocked);
    above.busy = union(above.busy, touching.busy);
  }
  return cells;
}

type Touching = Pick<Cell, "sessions" | "blocked" | "busy">;

function kindOf({ sessions, blocked, busy }: Touching): Cell["kind"] | null {
  if (sessions.length > 0) return "session";
  if (blocked.length > 0) return "blocked";
  return busy.length > 0 ? "busy" : null;
}

/** Of two half hours of one kind. */
function belongTogether({ kind, ...above }: Cell, below: Touching): boolean {
  if (kind === "session") return above.sessions.some((one) => below.sessions.includes(one));
  if (kind === "blocked") return above.blocked[0]?.reason === below.blocked[0]?.reason;
  return kind === "busy" && above.busy.some((one) => below.busy.includes(one));
}

function union<T>(above: T[], below: T[]): T[] {
  return [...new Set([...above, ...below])];
}
