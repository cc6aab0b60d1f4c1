import { actorOf } from "#app/auth/require-admin.server.ts";
import { inviteAgain } from "#app/auth/team.server.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { methods, outcomeJson } from "#app/http/json.server.ts";
import { accountJson } from "./answers.ts";

const route = methods({
  POST({ deps, context, params }) {
    const invited = inviteAgain(deps, actorOf(context), params.username ?? "");
    return outcomeJson(invited, (one) => ({ account: accountJson(readCatalogue(deps.db), one) }));
  },
});

export { route as action, route as loader };
