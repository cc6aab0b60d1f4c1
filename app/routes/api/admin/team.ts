/** Accounts of the team, and the activity log. */
import { changeAccountSchema, inviteSchema } from "#app/auth/fields.ts";
import { accessOf, changeAccount, invite, inviteAgain } from "#app/auth/team.server.ts";
import { DEFAULT_PAGE_SIZE, searchSchema } from "#app/booking/list-fields.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { successJson, withBody, withQuery } from "#app/http/json.server.ts";
import { type Catalogue, findCounselorByKey } from "#app/model/catalogue.ts";
import { success } from "#app/model/outcome.ts";
import { listActivity } from "#db/queries/activity.server.ts";
import { type Account, listAccounts } from "#db/queries/admins.server.ts";
import { activityJson } from "./answers.ts";
import { type AdminCall, adminCalls, operation, operationWith } from "./call.server.ts";

const route = adminCalls({
  "api/admin/team": {
    GET({ deps: { db } }) {
      const catalogue = readCatalogue(db);
      return successJson({ accounts: listAccounts(db).map((one) => accountJson(catalogue, one)) });
    },
    POST: withBody(
      inviteSchema,
      (body, { deps, actor }) => invite(deps, actor, body),
      changedAccountJson,
      201,
    ),
  },
  "api/admin/team/:username": {
    PATCH: operationWith(changeAccountSchema, changeAccount, changedAccountJson),
  },
  "api/admin/team/:username/invitation": { POST: operation(inviteAgain, changedAccountJson) },
  "api/admin/activity-logs": {
    GET: withQuery(searchSchema, ({ q, page = 1, pageSize = DEFAULT_PAGE_SIZE }, { deps }) => {
      const { entries, total } = listActivity(deps.db, { q, page, pageSize });
      return success({
        logs: entries.map(activityJson),
        page: { number: page, size: pageSize, total },
      });
    }),
  },
});

function changedAccountJson(account: Account, { deps }: AdminCall) {
  return { account: accountJson(readCatalogue(deps.db), account) };
}

/** `active`: has access; `invited`: has not set a password yet. */
function accountJson(catalogue: Pick<Catalogue, "counselors">, account: Account) {
  const { username, email, role, counselorKey } = account;
  const counselor = counselorKey === null ? null : findCounselorByKey(catalogue, counselorKey);
  const access = accessOf(account);
  return {
    username,
    email,
    role,
    counselor: counselor?.name ?? null,
    active: access !== "none",
    invited: access === "invited",
  };
}

export { route as action, route as loader };
