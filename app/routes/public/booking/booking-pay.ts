/**
 * Without scripts: holds the time and creates the order. If the form already contains this order, it
 * is passed on to the provider; else the booking page is shown with its pay button.
 */
import { href, redirect } from "react-router";
import { depsContext } from "#app/core/deps.server.ts";
import { createOrder } from "#app/payments/create-order.server.ts";
import type { Route } from "./+types/booking-pay";
import { hostedPage } from "./booking-view.server.ts";

export async function action({ params, context, url }: Route.ActionArgs): Promise<Response> {
  const deps = context.get(depsContext);
  const ordered = await createOrder(deps, params.id);
  const page = href("/booking/:id", { id: params.id });
  if (ordered.ok && url.searchParams.get("order") === ordered.value.orderId) {
    return redirect(hostedPage(deps.env), 307);
  }
  if (ordered.ok) return redirect(`${page}?payment=ready#pay`, 303);
  if (ordered.code === "already_paid") return redirect(page, 303);
  return redirect(`${page}?payment=${ordered.code}`, 303);
}

export function loader({ params }: Route.LoaderArgs): Response {
  return redirect(href("/booking/:id", { id: params.id }), 303);
}
