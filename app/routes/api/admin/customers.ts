/** Customers by e-mail address: the list, a single one, their data as a file, erasing. */
import { DEFAULT_PAGE_SIZE, searchSchema } from "#app/booking/list-fields.ts";
import {
  customerJson,
  eraseCustomer,
  NO_CUSTOMER,
  readCustomer,
  readCustomerData,
} from "#app/customers/customers.server.ts";
import { running, withQuery } from "#app/http/json.server.ts";
import { success } from "#app/model/outcome.ts";
import { readCustomerPage } from "#db/queries/customers.server.ts";
import { changedAppointmentJson } from "./answers.ts";
import { adminCalls, operation } from "./call.server.ts";

const route = adminCalls({
  "api/admin/customers": {
    GET: withQuery(
      searchSchema,
      ({ q, page: number = 1, pageSize: size = DEFAULT_PAGE_SIZE }, { deps }) => {
        const { rows, total } = readCustomerPage(deps.db, q, { page: number, pageSize: size });
        return success({ customers: rows.map(customerJson), page: { number, size, total } });
      },
    ),
  },
  "api/admin/customers/:id": {
    GET: running(
      ({ deps, named }) => {
        const detail = readCustomer(deps, named);
        return detail ? success(detail) : NO_CUSTOMER;
      },
      ({ customer, bookings }) => {
        const appointments = bookings.map((one) => changedAppointmentJson(one.appointment));
        return { customer: { ...customerJson(customer), appointments } };
      },
    ),
  },
  "api/admin/customers/:id/data": { GET: operation(readCustomerData, (file) => file) },
  "api/admin/customers/:id/erase": { POST: operation(eraseCustomer, ({ id }) => ({ id })) },
});

export { route as action, route as loader };
