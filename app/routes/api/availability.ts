import { z } from "zod";
import { readAvailability } from "#app/availability/read-slots.server.ts";
import { counselorSchema, dateSchema, packageSchema } from "#app/booking/booking-schema.ts";
import { readOwnHoldId } from "#app/booking/own-booking.server.ts";
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
  GET: withQuery(
    querySchema,
    async ({ counselor, package: minutes, ...days }, { deps, request }) => {
      const counselorKey = findCounselorByName(counselor)!.key;
      const ownHoldId = await readOwnHoldId(deps, request);
      return successJson(readAvailability(deps, { counselorKey, ...days, minutes, ownHoldId }));
    },
  ),
});

export { route as action, route as loader };
