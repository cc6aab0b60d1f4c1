import { actorOf } from "#app/auth/require-admin.server.ts";
import { changeAccount } from "#app/auth/team.server.ts";
import { changeAccountSchema } from "#app/auth/team-fields.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { methods, outcomeJson, withBody } from "#app/http/json.server.ts";
import { accountJson } from "./answers.ts";

const route = methods({
  PATCH: withBody(changeAccountSchema, (body, { deps, context, params }) => {
    const changed = changeAccount(deps, actorOf(context), params.username ?? "", body);
    return outcomeJson(changed, (one) => ({ account: accountJson(readCatalogue(deps.db), one) }));
  }),
});

export { route as action, route as loader };
