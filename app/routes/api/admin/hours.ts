import { actorOf } from "#app/auth/require-admin.server.ts";
import { setHours } from "#app/availability/hours.server.ts";
import { hoursSchema } from "#app/availability/weekly-hours.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { failureJson, methods, outcomeJson, successJson, withBody } from "#app/http/json.server.ts";
import { findCounselorByKey } from "#app/model/catalogue.ts";
import { failure } from "#app/model/outcome.ts";
import { findHours } from "#db/queries/hours.server.ts";
import { affectedJson } from "./answers.ts";

const NO_COUNSELOR = failure("not_found", "There is no such counselor.");

function keyOf({ db }: Deps, key = ""): string | null {
  return findCounselorByKey(readCatalogue(db), key)?.key ?? null;
}

const route = methods({
  GET({ deps, params }) {
    const key = keyOf(deps, params.key);
    return key ? successJson({ hours: findHours(deps.db, key) }) : failureJson(NO_COUNSELOR);
  },

  PUT(call) {
    const key = keyOf(call.deps, call.params.key);
    if (!key) return failureJson(NO_COUNSELOR);
    return withBody(hoursSchema, (body, { deps, context }) =>
      outcomeJson(setHours(deps, actorOf(context), key, body), affectedJson),
    )(call);
  },
});

export { route as action, route as loader };
