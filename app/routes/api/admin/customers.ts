/** Customers by e-mail address: list, one, their data as one file, erasing. */
import { activitySchema, DEFAULT_PAGE_SIZE } from "#app/booking/list-fields.ts";
import { readCustomerData } from "#app/customers/customer-data.server.ts";
import { eraseCustomer } from "#app/customers/erase-customer.server.ts";
import { customerJson, NO_CUSTOMER, readCustomer } from "#app/customers/read-customer.server.ts";
import { running, withQuery } from "#app/http/json.server.ts";
import { success } from "#app/model/outcome.ts";
import { readCustomerPage } from "#db/queries/customers.server.ts";
import { changedAppointmentJson } from "./answers.ts";
import { adminCalls, operation } from "./call.server.ts";

const route = adminCalls({
  "api/admin/customers": {
    GET: withQuery(
      activitySchema,
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
