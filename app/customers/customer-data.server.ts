/** All that is held about a customer as one file: rows as they are stored, in words for people. */
import { change } from "#app/core/change.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { isoInstant } from "#app/model/dates.ts";
import { isId } from "#app/model/ids.ts";
import { rupeesOf } from "#app/model/money.ts";
import { type Outcome, success } from "#app/model/outcome.ts";
import { findCustomer, listRowsOf } from "#db/queries/customers.server.ts";
import { isOptedOut } from "#db/queries/message-leases.server.ts";
import { customerJson, NO_CUSTOMER } from "./read-customer.server.ts";

/** That it was taken stands in the log. Refusal: `not_found`. */
export function readCustomerData(
  deps: Pick<Deps, "db" | "now" | "wake">,
  actor: Actor,
  id: string | undefined,
): Outcome<object> {
  return change(deps, actor, ({ tx, now, log }) => {
    const customer = isId(id) ? findCustomer(tx, id) : null;
    if (!customer) return NO_CUSTOMER;
    log("customer_data", customer.id);
    const rows = Object.entries(listRowsOf(tx, customer.email));
    return success({
      madeAt: isoInstant(now),
      amounts: "rupees",
      customer: customerJson(customer),
      noWhatsApp: isOptedOut(tx, customer.phone),
      ...Object.fromEntries(rows.map(([name, list]) => [name, list.map(readableRow)])),
    });
  });
}

/** What says nothing of a person: how the program works on the row. */
const INNER = /^(seq|version|calendarUid|calendarSequence|renewals|attempts|leaseUntil|nextTryAt)$/;

/** Rupees for paise and instants as ISO 8601; what is not known is left out. */
function readableRow(row: object): object {
  const fields = Object.entries(row).flatMap(([name, value]) => {
    if (value === null || INNER.test(name)) return [];
    if (typeof value !== "number") return [[name, value]];
    if (name.endsWith("Paise")) return [[name.replace("Paise", ""), rupeesOf(value)]];
    return [[name, /(At|Until|Before|After|By)$/.test(name) ? isoInstant(value) : value]];
  });
  return Object.fromEntries(fields);
}
