import { refuseOthersLeave } from "#app/auth/own-reach.server.ts";
import { actorOf } from "#app/auth/require-admin.server.ts";
import { removeLeave } from "#app/availability/leave.server.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { failureJson, methods, outcomeJson } from "#app/http/json.server.ts";
import { leaveJson } from "./answers.ts";

const route = methods({
  DELETE(call) {
    const { deps, context, params } = call;
    const others = refuseOthersLeave(call, params.id ?? "");
    if (others) return failureJson(others);
    return outcomeJson(removeLeave(deps, actorOf(context), params.id ?? ""), (leave) => ({
      leave: leaveJson(readCatalogue(deps.db), leave),
      affected: [],
    }));
  },
});

export { route as action, route as loader };
