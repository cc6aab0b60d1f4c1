/** Makes the order of a booking without JavaScript, then shows the booking with its pay button. */
import { href, redirect } from "react-router";
import { depsContext } from "#app/core/deps.server.ts";
import { createOrder } from "#app/payments/create-order.server.ts";
import type { Route } from "./+types/booking-pay";

export async function action({ params, context }: Route.ActionArgs): Promise<Response> {
  const ordered = await createOrder(context.get(depsContext), params.id);
  const page = href("/booking/:id", { id: params.id });
  if (ordered.ok) return redirect(`${page}?payment=ready#pay`, 303);
  if (ordered.code === "already_paid") return redirect(page, 303);
  return redirect(`${page}?payment=${ordered.code}`, 303);
}

export function loader({ params }: Route.LoaderArgs): Response {
  return redirect(href("/booking/:id", { id: params.id }), 303);
}
