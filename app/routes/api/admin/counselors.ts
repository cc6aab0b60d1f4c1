/** The catalogue and its captains, with their weekly hours and calendars. */
import { may } from "#app/auth/require-admin.server.ts";
import {
  type BusyCalendarState,
  readBusyCalendar,
  refreshBusyCalendar,
  setBusyCalendar,
} from "#app/availability/busy-calendars.server.ts";
import { busyCalendarSchema, hoursSchema } from "#app/availability/fields.ts";
import { setDefaultTimes, setHours } from "#app/availability/set-availability.server.ts";
import { changeCaptain } from "#app/booking/captains.server.ts";
import {
  addCounselor,
  changeOfferSettings,
  changePackage,
} from "#app/catalogue/change-catalogue.server.ts";
import {
  changeCounselorSchema,
  counselorSchema,
  defaultTimesSchema,
  linksSchema,
  packageSchema,
} from "#app/catalogue/fields.ts";
import { changePortrait } from "#app/catalogue/portraits.server.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { failureJson, running, successJson, withBody } from "#app/http/json.server.ts";
import { type Counselor, PACKAGE_MINUTES } from "#app/model/catalogue.ts";
import { isoInstant } from "#app/model/dates.ts";
import { findHours } from "#db/queries/hours.server.ts";
import { affectedJson } from "./answers.ts";
import {
  type AdminCall,
  adminCalls,
  counselorAt,
  isPicture,
  NO_PICTURE_TYPE,
  operationWith,
} from "./call.server.ts";

type Handler = (call: AdminCall) => Response | Promise<Response>;

const route = adminCalls({
  "api/admin/catalogue": {
    GET({ deps, context }) {
      const { counselors, ...rest } = readCatalogue(deps.db);
      const shown = may(context, "catalogue") ? counselorJson : offeredCounselorJson;
      return successJson({ counselors: counselors.map((one) => shown(one)), ...rest });
    },
  },
  "api/admin/packages/:minutes": {
    PUT: operationWith(
      packageSchema,
      (deps, actor, written, body) => {
        // Compared as text: 0x1e is not a package.
        const minutes = PACKAGE_MINUTES.find((one) => String(one) === written) ?? 0;
        return changePackage(deps, actor, minutes, body);
      },
      (sessionPackage) => sessionPackage,
    ),
  },
  "api/admin/default-times": {
    PUT: withBody(
      defaultTimesSchema,
      ({ timeSlots, version }, { deps, actor }) => setDefaultTimes(deps, actor, timeSlots, version),
      ({ defaultTimes, version }) => ({ timeSlots: defaultTimes, defaultTimes, version }),
    ),
  },
  "api/admin/links": {
    PUT: withBody(
      linksSchema,
      ({ links, version }, { deps, actor }) => changeOfferSettings(deps, actor, { links }, version),
      ({ links, version }) => ({ links, version }),
    ),
  },
  "api/admin/counselors": {
    POST: withBody(
      counselorSchema,
      (body, { deps, actor }) => addCounselor(deps, actor, body),
      counselorJson,
      201,
    ),
  },
  "api/admin/counselors/:key": {
    PUT: operationWith(changeCounselorSchema, changeCaptain, ({ counselor, affected }, call) =>
      affectedJson({ ...counselorJson(counselor), affected }, call),
    ),
  },
  "api/admin/counselors/:key/portrait": {
    PUT: running(async ({ deps, actor, named, request }) => {
      if (!isPicture(request)) return NO_PICTURE_TYPE;
      return changePortrait(deps, actor, named, new Uint8Array(await request.arrayBuffer()));
    }, counselorJson),
  },
  "api/admin/counselors/:key/hours": {
    GET: running(counselorAt, ({ key }, { deps }) => ({ hours: findHours(deps.db, key) })),
    PUT: ofCounselor(operationWith(hoursSchema, setHours, affectedJson)),
  },
  "api/admin/counselors/:key/busy-calendar": {
    GET: ofCounselor(running(({ deps, named }) => readBusyCalendar(deps, named), busyCalendarJson)),
    PUT: ofCounselor(
      operationWith(
        busyCalendarSchema,
        (deps, actor, key, { url, version }) => setBusyCalendar(deps, actor, key, url, version),
        busyCalendarJson,
      ),
    ),
  },
  "api/admin/counselors/:key/busy-calendar/refresh": {
    POST: ofCounselor(
      running(({ deps, named }) => refreshBusyCalendar(deps, named), busyCalendarJson),
    ),
  },
});

/** Finds the captain of the path, and checks access to them, before the body is read. */
function ofCounselor(handler: Handler): Handler {
  return (call) => {
    const counselor = counselorAt(call);
    return counselor.ok ? handler(call) : failureJson(counselor);
  };
}

/** Without former names, which only serve to look captains up. */
function counselorJson({ formerNames: _, ...counselor }: Counselor) {
  return counselor;
}

/** For accounts that may not edit the catalogue: without e-mail address and meeting place. */
function offeredCounselorJson(counselor: Counselor) {
  const { email: _, meeting: __, room: ___, ...rest } = counselorJson(counselor);
  return rest;
}

function busyCalendarJson({ lastReadAt, version: _, ...state }: BusyCalendarState) {
  return { ...state, lastReadAt: lastReadAt === null ? null : isoInstant(lastReadAt) };
}

export { route as action, route as loader };
