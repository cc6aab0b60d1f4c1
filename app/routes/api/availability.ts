import { z } from "zod";
import { readAvailability } from "#app/availability/read-slots.server.ts";
import { counselorSchema, dateSchema, packageSchema } from "#app/booking/booking-form.ts";
import { findCounselorByName } from "#app/catalogue.ts";
import { api, failureJson, readQuery, successJson } from "#app/http/json.server.ts";

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

const route = api({
  GET({ deps, url }) {
    const query = readQuery(url, querySchema);
    if (!query.ok) return failureJson(query);
    const { counselor, from, to, package: minutes } = query.value;
    const counselorKey = findCounselorByName(counselor)!.key;
    return successJson(readAvailability(deps, { counselorKey, from, to, minutes }));
  },
});

export const loader = route;
export const action = route;
