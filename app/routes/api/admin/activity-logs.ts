import { activitySchema, DEFAULT_PAGE_SIZE } from "#app/booking/list-fields.ts";
import { methods, successJson, withQuery } from "#app/http/json.server.ts";
import { listActivity } from "#db/queries/activity.server.ts";
import { activityJson } from "./answers.ts";

const route = methods({
  GET: withQuery(activitySchema, ({ q, page = 1, pageSize = DEFAULT_PAGE_SIZE }, { deps }) => {
    const { entries, total } = listActivity(deps.db, { q, page, pageSize });
    return successJson({
      logs: entries.map(activityJson),
      page: { number: page, size: pageSize, total },
    });
  }),
});

export { route as action, route as loader };
