import { z } from "zod";
import { readSlots } from "#app/availability/read-slots.server.ts";
import { counselorSchema, dateSchema, packageSchema } from "#app/booking/booking-schema.ts";
import { findCounselorByName } from "#app/catalogue.ts";
import { methods, successJson, withQuery } from "#app/http/json.server.ts";

const querySchema = z.object({
  counselor: counselorSchema,
  date: dateSchema,
  package: packageSchema.optional(),
});

const route = methods({
  GET: withQuery(querySchema, ({ counselor, date, package: minutes }, { deps }) => {
    const counselorKey = findCounselorByName(counselor)!.key;
    return successJson(readSlots(deps, { counselorKey, date, minutes }));
  }),
});

export { route as action, route as loader };
