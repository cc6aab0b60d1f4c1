import { activitySchema, DEFAULT_PAGE_SIZE } from "#app/booking/list-fields.ts";
import { customerJson } from "#app/customers/read-customer.server.ts";
import { methods, successJson, withQuery } from "#app/http/json.server.ts";
import { readCustomerPage } from "#db/queries/customers.server.ts";

const route = methods({
  GET: withQuery(activitySchema, ({ q, page = 1, pageSize = DEFAULT_PAGE_SIZE }, { deps }) => {
    const { rows, total } = readCustomerPage(deps.db, q, { page, pageSize });
    return successJson({
      customers: rows.map(customerJson),
      page: { number: page, size: pageSize, total },
    });
  }),
});

export { route as action, route as loader };
