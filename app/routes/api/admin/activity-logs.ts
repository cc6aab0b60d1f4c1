import { activitySchema, DEFAULT_PAGE_SIZE } from "#app/booking/list-fields.ts";
import { failureJson, readQuery, successJson } from "#app/http/json.server.ts";
import { listActivity } from "#db/queries/activity.server.ts";
import { activityJson } from "./answers.ts";
import { adminApi } from "./call-gate.server.ts";

const route = adminApi({
  GET({ deps, url }) {
    const query = readQuery(url, activitySchema);
    if (!query.ok) return failureJson(query);
    const { q, page = 1, pageSize = DEFAULT_PAGE_SIZE } = query.value;
    const { entries, total } = listActivity(deps.db, { q, page, pageSize });
    return successJson({
      logs: entries.map(activityJson),
      page: { number: page, size: pageSize, total },
    });
  },
});

export const loader = route;
export const action = route;
