/** The ratings of all captains; the owner hides text and name of one for a reason. */
import { running } from "#app/http/json.server.ts";
import { success } from "#app/model/outcome.ts";
import { hiddenSchema } from "#app/sessions/fields.ts";
import { ratingJson, readRatings, setHidden } from "#app/sessions/ratings.server.ts";
import { type AdminCall, adminCalls, operationWith } from "./call.server.ts";

const route = adminCalls({
  "api/admin/ratings": {
    GET: running(({ deps }: AdminCall) => success({ ratings: readRatings(deps).map(ratingJson) })),
  },
  "api/admin/ratings/:id": {
    PUT: operationWith(hiddenSchema, setHidden, (rating) => ({ rating: ratingJson(rating) })),
  },
});

export { route as action, route as loader };
