/** A captain's days: the calendar, offered and blocked times, leave. */
import type { z } from "zod";
import {
  refuseOthers,
  refuseOthersLeave,
  shownId,
  withinReach,
} from "#app/auth/require-admin.server.ts";
import {
  calendarSchema,
  daySchema,
  leaveSchema,
  setBlocksSchema,
  setSlotsSchema,
} from "#app/availability/fields.ts";
import { readAdminDay } from "#app/availability/read-slots.server.ts";
import {
  addLeave,
  removeLeave,
  setAvailability,
  setBlocks,
} from "#app/availability/set-availability.server.ts";
import { readCalendar } from "#app/booking/dashboard.server.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { running, successJson, withBody, withQuery } from "#app/http/json.server.ts";
import { type Catalogue, findCounselorByKey } from "#app/model/catalogue.ts";
import { dateInIndia } from "#app/model/dates.ts";
import { type Outcome, success } from "#app/model/outcome.ts";
import { type LeaveEntry, listLeave } from "#db/queries/hours.server.ts";
import { affectedJson } from "./answers.ts";
import { type AdminCall, adminCalls, counselorOf } from "./call.server.ts";

const route = adminCalls({
  "api/admin/calendar": {
    GET: withQuery(calendarSchema, calendar, (days, { own }) => ({
      days: days.map(({ date, counselors }) => ({
        date,
        counselors: counselors.map((one) => ({
          ...one,
          sessions: one.sessions.map((session) => ({
            id: shownId(own, session),
            name: session.name,
            timeSlot: session.timeSlot,
            package: session.minutes,
            status: session.status,
          })),
        })),
      })),
    })),
  },
  "api/admin/slots": {
    GET: withQuery(daySchema, day, ({ timeSlots, isDefault, blocked, booked }, { own }) => ({
      timeSlots,
      isDefault,
      blocked,
      booked: booked.map(({ appointmentId: id, calendarUid, minutes, ...session }) => ({
        ...session,
        id: shownId(own, { id, calendarUid }),
        package: minutes,
      })),
    })),
    POST: withBody(setSlotsSchema, offer, affectedJson),
    DELETE: withQuery(daySchema, offer, affectedJson),
  },
  "api/admin/blocks": { POST: withBody(setBlocksSchema, block, affectedJson) },
  "api/admin/leave": {
    GET({ deps: { db, now }, own }) {
      const catalogue = readCatalogue(db);
      const leave = listLeave(db, dateInIndia(now()), own ?? undefined);
      return successJson({ leave: leave.map((entry) => leaveJson(catalogue, entry)) });
    },
    POST: withBody(leaveSchema, takeLeave, affectedJson, 201),
  },
  "api/admin/leave/:id": {
    DELETE: running(
      (call) =>
        refuseOthersLeave(call, call.named) ?? removeLeave(call.deps, call.actor, call.named),
      (leave, { deps }) => ({ leave: leaveJson(readCatalogue(deps.db), leave), affected: [] }),
    ),
  },
});

function calendar({ from, to, counselor }: z.output<typeof calendarSchema>, call: AdminCall) {
  const { deps, own } = call;
  const chosen = counselor === undefined ? null : counselorOf(call, counselor);
  if (chosen?.ok === false) return chosen;
  const all = withinReach(own, readCatalogue(deps.db)).counselors;
  return success(readCalendar(deps, { counselors: chosen ? [chosen.value] : all, from, to }));
}

type Day = z.output<typeof daySchema>;

function day({ counselor, date }: Day, call: AdminCall) {
  const chosen = counselorOf(call, counselor);
  return chosen.ok ? success(readAdminDay(call.deps, chosen.value.key, date)) : chosen;
}

/** Without times, the default ones hold again. */
function offer({ timeSlots, ...day }: Day & { timeSlots?: string[] }, call: AdminCall) {
  return onDay(day, call, (days) =>
    setAvailability(call.deps, call.actor, { ...days, timeSlots: timeSlots ?? null }),
  );
}

function block(body: z.output<typeof setBlocksSchema>, call: AdminCall) {
  const { timeSlotsToBlock: timeSlots, action, reason } = body;
  return onDay(body, call, (days) =>
    setBlocks(call.deps, call.actor, { ...days, timeSlots, action, reason }),
  );
}

function onDay<T>(
  { counselor, date }: Day,
  call: AdminCall,
  change: (days: { counselorKey: string; dates: string[] }) => Outcome<T>,
): Outcome<T> {
  const chosen = counselorOf(call, counselor);
  return chosen.ok ? change({ counselorKey: chosen.value.key, dates: [date] }) : chosen;
}

function takeLeave({ counselor = null, ...days }: z.output<typeof leaveSchema>, call: AdminCall) {
  const { deps, actor } = call;
  const catalogue = readCatalogue(deps.db);
  const chosen = counselor === null ? null : counselorOf(call, counselor);
  if (chosen?.ok === false) return chosen;
  const counselorKey = chosen?.value.key ?? null;
  const ofAll = refuseOthers(call, counselorKey);
  if (ofAll) return ofAll;
  const added = addLeave(deps, actor, { ...days, counselorKey });
  if (!added.ok) return added;
  const { leave, affected } = added.value;
  return success({ leave: leaveJson(catalogue, leave), affected });
}

/** `counselor` is null for a leave of all captains. */
function leaveJson(catalogue: Pick<Catalogue, "counselors">, entry: LeaveEntry) {
  const { id, counselorKey, from, to, reason } = entry;
  const counselor = counselorKey && findCounselorByKey(catalogue, counselorKey);
  return { id, counselor: counselor ? counselor.name : null, from, to, reason };
}

export { route as action, route as loader };
