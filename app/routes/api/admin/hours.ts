import { actorOf } from "#app/auth/require-admin.server.ts";
import { setHours } from "#app/availability/hours.server.ts";
import { hoursSchema } from "#app/availability/weekly-hours.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { failureJson, methods, outcomeJson, withBody } from "#app/http/json.server.ts";
import { counselorKeyed } from "#app/model/catalogue.ts";
import { findHours } from "#db/queries/hours.server.ts";
import { affectedJson } from "./answers.ts";

function counselorOf({ db }: Deps, key = "") {
  return counselorKeyed(readCatalogue(db), key);
}

const route = methods({
  GET: ({ deps, params }) =>
    outcomeJson(counselorOf(deps, params.key), ({ key }) => ({ hours: findHours(deps.db, key) })),

  PUT(call) {
    const counselor = counselorOf(call.deps, call.params.key);
    if (!counselor.ok) return failureJson(counselor);
    const { key } = counselor.value;
    return withBody(hoursSchema, (body, { deps, context }) =>
      outcomeJson(setHours(deps, actorOf(context), key, body), affectedJson),
    )(call);
  },
});

export { route as action, route as loader };
