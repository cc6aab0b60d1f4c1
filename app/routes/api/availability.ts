import { z } from "zod";
import { readAvailability } from "#app/availability/read-slots.server.ts";
import { counselorSchema, dateSchema, packageSchema } from "#app/booking/booking-schema.ts";
import { findCounselorByName } from "#app/catalogue.ts";
import { methods, successJson, withQuery } from "#app/http/json.server.ts";

const querySchema = z
  .object({
    counselor: counselorSchema,
    from: dateSchema,
    to: dateSchema,
    package: packageSchema.optional(),
  })
  .refine(({ from, to }) => from <= to, {
    path: ["to"],
    message: "Please end the range on or after its start",
  });

const route = methods({
  GET: withQuery(querySchema, ({ counselor, from, to, package: minutes }, { deps }) => {
    const counselorKey = findCounselorByName(counselor)!.key;
    return successJson(readAvailability(deps, { counselorKey, from, to, minutes }));
  }),
});

export { route as action, route as loader };
