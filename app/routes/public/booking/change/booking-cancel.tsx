/** Cancels a booking and refunds what was paid. */
import { getFormProps, useForm } from "@conform-to/react";
import { data, href, useNavigation } from "react-router";
import { cancelOwnSchema } from "#app/booking/change-fields.ts";
import { cancelOwnBooking } from "#app/booking/self-service.server.ts";
import { depsContext } from "#app/core/deps.server.ts";
import { OnlineForm } from "#app/routes/public/parts/online-form.tsx";
import { privateMeta } from "#app/routes/public/parts/public-page.tsx";
import type { Route } from "./+types/booking-cancel";
import { ChangePage, OwnerEmail } from "./change-page.tsx";
import {
  changeBooking,
  changeView,
  type Refusal,
  refundView,
  requireBooking,
} from "./change-view.server.ts";

export const handle = { hydrate: true };

export function loader({ params, context }: Route.LoaderArgs) {
  const deps = context.get(depsContext);
  const appointment = requireBooking(deps, params.id);
  return { view: changeView(deps, appointment), refund: refundView(deps, appointment) };
}

export async function action(args: Route.ActionArgs) {
  const { deps, appointment, body, init } = await changeBooking(args, {
    schema: cancelOwnSchema,
    change: cancelOwnBooking,
    done: "cancelled",
  });
  const view = changeView(deps, appointment);
  return data({ ...body, view, refund: refundView(deps, appointment) }, init);
}

export { passActionHeaders as headers } from "#app/routes/public/parts/public-page.tsx";

export const meta = privateMeta("Cancel your booking");

export default function Cancel({ loaderData, actionData }: Route.ComponentProps) {
  const { view, refund } = actionData ?? loaderData;
  return (
    <ChangePage
      title={`Cancel your ${view.paid ? "session" : "booking"}${view.closed ? "" : "?"}`}
      view={view}
      refusal={actionData}
      targets={{ email: "cancel-email" }}
    >
      <CancelForm view={view} refund={refund} reply={actionData?.reply} />
    </ChangePage>
  );
}

type Shown = Route.ComponentProps["loaderData"];

/** Says what cancelling does and asks for the booking's email address. The safe button comes first. */
function CancelForm({ view, refund, reply }: Shown & { reply?: Refusal["reply"] }) {
  const { id, paid, mayMove } = view;
  const cancelling = useNavigation().formMethod === "POST";
  const [bound, fields] = useForm<{ email: string }>({ id: "cancel", lastResult: reply ?? null });
  const what = paid ? "session" : "booking";

  return (
    <div className="grid gap-6">
      <section aria-labelledby="consequences" className="card p-5 shadow-low md:p-6">
        <h2 id="consequences" className="display text-lg">
          What happens
        </h2>
        <ul className="mt-3 grid list-disc gap-2 pl-5">
          <li>{moneyWords(view, refund)}</li>
          <li>Others can book your time at once. You cannot undo this.</li>
          {paid && <li>We send an email to you and to the captain.</li>}
        </ul>
        {mayMove && (
          <p className="mt-4">
            Does only the time not suit you?{" "}
            <a className="link font-semibold" href={href("/booking/:id/reschedule", { id })}>
              Move the {what} instead
            </a>
            {paid && ", at no cost"}.
          </p>
        )}
      </section>
      <OnlineForm
        {...getFormProps(bound)}
        method="post"
        action={href("/booking/:id/cancel", { id })}
        noValidate
        className="grid gap-6"
      >
        <input type="hidden" name="version" value={view.version} />
        <div className="max-w-112">
          <OwnerEmail field={fields.email} hint={view.emailHint} />
        </div>
        <div className="flex flex-wrap gap-3">
          <a className="button button-primary" href={href("/booking/:id", { id })}>
            Keep the {what}
          </a>
          <button
            type="submit"
            disabled={cancelling}
            className="button border-stop bg-surface text-stop hover:bg-stop-soft"
          >
            {cancelling ? "Cancelling..." : buttonWords(what, refund)}
          </button>
        </div>
      </OnlineForm>
    </div>
  );
}

function moneyWords({ paid, underWay }: Shown["view"], refund: Shown["refund"]): string {
  if (refund) return refund.promise;
  if (paid) return "Nothing is left to refund: your money is back with you, or on its way.";
  return (
    underWay ??
    "You have not paid, so there is nothing to refund. If a payment still arrives, we will send all of it back."
  );
}

function buttonWords(what: string, refund: Shown["refund"]): string {
  return refund ? `Cancel and refund ${refund.amount}` : `Cancel the ${what}`;
}
