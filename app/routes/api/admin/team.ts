import { actorOf } from "#app/auth/require-admin.server.ts";
import { invite } from "#app/auth/team.server.ts";
import { inviteSchema } from "#app/auth/team-fields.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { failureJson, methods, successJson, withBody } from "#app/http/json.server.ts";
import { listAccounts } from "#db/queries/team.server.ts";
import { accountJson } from "./answers.ts";

const route = methods({
  GET({ deps: { db } }) {
    const catalogue = readCatalogue(db);
    return successJson({ accounts: listAccounts(db).map((one) => accountJson(catalogue, one)) });
  },

  POST: withBody(inviteSchema, (body, { deps, context }) => {
    const invited = invite(deps, actorOf(context), body);
    if (!invited.ok) return failureJson(invited);
    const account = accountJson(readCatalogue(deps.db), invited.value);
    return successJson({ account }, { status: 201 });
  }),
});

export { route as action, route as loader };
