import { z } from "zod";
import { readSlots } from "#app/availability/read-slots.server.ts";
import { counselorSchema, dateSchema, packageSchema } from "#app/booking/booking-form.ts";
import { findCounselorByName } from "#app/catalogue.ts";
import { api, failureJson, readQuery, successJson } from "#app/http/json.server.ts";

const querySchema = z.object({
  counselor: counselorSchema,
  date: dateSchema,
  package: packageSchema.optional(),
});

const route = api({
  GET({ deps, url }) {
    const query = readQuery(url, querySchema);
    if (!query.ok) return failureJson(query);
    const { counselor, date, package: minutes } = query.value;
    const counselorKey = findCounselorByName(counselor)!.key;
    return successJson(readSlots(deps, { counselorKey, date, minutes }));
  },
});

export const loader = route;
export const action = route;
