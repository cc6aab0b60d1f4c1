/** The queries of the calls for free times, for their routes and for the response cache. */
import { z } from "zod";
import { dateSchema, packageSchema } from "#app/booking/booking-fields.ts";
import { readQuery } from "#app/http/json.server.ts";
import { counselorSchema } from "#app/model/text.ts";

export const slotsSchema = z.object({
  counselor: counselorSchema,
  date: dateSchema,
  package: packageSchema.optional(),
});

export const availabilitySchema = z
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

const SCHEMAS = new Map<string, typeof slotsSchema | typeof availabilitySchema>([
  ["/api/slots", slotsSchema],
  ["/api/availability", availabilitySchema],
]);

/** Null for another path (spelled as by `canonicalPath`), or a query that the route refuses. */
export function readOfferQuery(path: string, url: string) {
  const schema = SCHEMAS.get(path);
  const query = schema && readQuery<typeof schema>(new URL(url, "http://path.invalid"), schema);
  return query?.ok ? query.value : null;
}
