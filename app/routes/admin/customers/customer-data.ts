/** Everything stored about a customer, as a file. */
import { actorOf } from "#app/auth/require-admin.server.ts";
import { depsContext } from "#app/core/deps.server.ts";
import { readCustomerData } from "#app/customers/customers.server.ts";
import { dateInIndia } from "#app/model/dates.ts";
import type { Route } from "./+types/customer-data";

export function loader({ params, context, request }: Route.LoaderArgs): Response {
  const deps = context.get(depsContext);
  const file =
    request.method === "HEAD" ? null : readCustomerData(deps, actorOf(context), params.id);
  if (file && !file.ok) throw new Response("Not Found", { status: 404 });
  // Browsers remember the file's name, so it identifies nobody.
  const name = `customer-data-${dateInIndia(deps.now())}.json`;
  return new Response(file && `${JSON.stringify(file.value, null, 2)}\n`, {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}"`,
      "Cache-Control": "no-store",
    },
  });
}
