import { refuseOthers } from "#app/auth/own-reach.server.ts";
import { actorOf, ownCounselor } from "#app/auth/require-admin.server.ts";
import { addLeave } from "#app/availability/leave.server.ts";
import { leaveSchema } from "#app/availability/weekly-hours.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { failureJson, methods, successJson, withBody } from "#app/http/json.server.ts";
import { dateInIndia } from "#app/model/dates.ts";
import { listLeave } from "#db/queries/hours.server.ts";
import { affectedJson, leaveJson } from "./answers.ts";
import { namedCounselor } from "./named-counselor.server.ts";

const route = methods({
  GET({ deps: { db, now }, context }) {
    const catalogue = readCatalogue(db);
    const coming = listLeave(db, dateInIndia(now()), ownCounselor(context) ?? undefined);
    return successJson({ leave: coming.map((entry) => leaveJson(catalogue, entry)) });
  },

  POST: withBody(leaveSchema, ({ counselor = null, ...days }, call) => {
    const { deps, context } = call;
    const catalogue = readCatalogue(deps.db);
    const chosen = counselor === null ? null : namedCounselor(call, counselor);
    if (chosen && !chosen.ok) return failureJson(chosen);
    const counselorKey = chosen?.value.key ?? null;
    const ofAll = refuseOthers(call, counselorKey);
    if (ofAll) return failureJson(ofAll);
    const added = addLeave(deps, actorOf(context), { ...days, counselorKey });
    if (!added.ok) return failureJson(added);
    const { leave, affected } = added.value;
    const answer = affectedJson(context, { leave: leaveJson(catalogue, leave), affected });
    return successJson(answer, { status: 201 });
  }),
});

export { route as action, route as loader };
