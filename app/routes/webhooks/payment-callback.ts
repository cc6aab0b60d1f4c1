/** Where the hosted checkout returns: a cross-site POST without cookies, redirected with 303. */
import { href, redirect } from "react-router";
import { depsContext } from "#app/core/deps.server.ts";
import { isId } from "#app/model/ids.ts";
import type { FailureCode, Outcome } from "#app/model/outcome.ts";
import { ORDER_ID, PAYMENT_ID } from "#app/payments/razorpay-shapes.ts";
import { verifyPayment } from "#app/payments/verify-payment.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import type { Route } from "./+types/payment-callback";

export async function action({ request, context }: Route.ActionArgs): Promise<Response> {
  const deps = context.get(depsContext);
  const id = new URL(request.url).searchParams.get("booking");
  if (!isId(id)) return unknownBooking();
  const form = new URLSearchParams(await request.text());
  const paymentId = form.get("razorpay_payment_id") ?? "";
  const orderId = form.get("razorpay_order_id") ?? "";
  const signature = form.get("razorpay_signature") ?? "";
  const claim = { appointmentId: id, orderId, paymentId, signature };
  if (!findAppointment(deps.db, id)) return unknownBooking(await verifyPayment(deps, claim));
  const page = href("/booking/:id", { id });
  if (!paymentId) return redirect(`${page}?payment=failed`, 303);
  if (!PAYMENT_ID.test(paymentId) || !ORDER_ID.test(orderId)) {
    return redirect(`${page}?payment=unverified`, 303);
  }
  const verified = await verifyPayment(deps, claim);
  if (!verified.ok) {
    return redirect(`${page}?payment=${REASONS[verified.code] ?? "unverified"}`, 303);
  }
  return redirect(page, 303);
}

/** What the page says about a refusal: not to pay again while nothing could be recorded. */
const REASONS: Partial<Record<FailureCode, string>> = {
  amount_mismatch: "amount",
  unavailable: "checking",
};

/** For a reload, or an address typed in: leads to the page, which only reads. */
export function loader({ request, context }: Route.LoaderArgs): Response {
  const id = new URL(request.url).searchParams.get("booking");
  const known = isId(id) && findAppointment(context.get(depsContext).db, id) !== null;
  return known ? redirect(href("/booking/:id", { id }), 303) : unknownBooking();
}

/** In the words of the refusal: money may have come for a booking that was deleted. */
function unknownBooking(refusal?: Outcome<unknown>): Response {
  const words = refusal?.ok === false ? refusal.message : "We do not know this booking.";
  return new Response(`${words}\n`, {
    status: 404,
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}
