/** Refunds some or all of the money kept, without cancelling. */
import { href } from "react-router";
import { keptOf, LEAST_PAISE, refundPart } from "#app/booking/cancel-and-refund.server.ts";
import { refundFormSchema } from "#app/booking/change-fields.ts";
import { isOfflinePayment } from "#app/model/ids.ts";
import { formatAmount, rupeesOf } from "#app/model/money.ts";
import { personName } from "#app/model/wording.ts";
import { LineField } from "#app/routes/admin/parts/fields.tsx";
import { screen } from "#app/routes/admin/parts/form-page.server.ts";
import { FormDialog, useFormPage } from "#app/routes/admin/parts/form-page.tsx";
import { Choices } from "#app/routes/admin/parts/form-parts.tsx";
import { withList } from "#app/routes/admin/parts/list-search.ts";
import { sessionView } from "#app/routes/admin/parts/views.server.ts";
import { byHandWords, NOT_TOLD } from "#app/routes/admin/parts/words.ts";
import type { Route } from "./+types/appointment-refund";
import { appointmentAsked, disputeWarning } from "./appointment-view.server.ts";

const { loader, action } = screen({
  find: appointmentAsked,
  view: ({ deps, about }) => {
    const keptPaise = keptOf(deps.db, about);
    return {
      session: sessionView(about, deps.now()),
      kept: keptPaise > 0 ? formatAmount(keptPaise) : null,
      shares: sharesOf(keptPaise),
      dispute: disputeWarning(deps, about.id),
      offline: about.paymentId !== null && isOfflinePayment(about.paymentId),
    };
  },
}).one({
  fields: refundFormSchema,
  run: (input, { deps, actor, about: { id }, once }) =>
    once(`refund ${id}`, input, () => refundPart(deps, actor, id, input)),
  failed: "Refund Failed",
  done: (id, { about: { contact, paymentId }, listSearch }) => {
    const way =
      paymentId !== null && isOfflinePayment(paymentId)
        ? "Please pay it back by hand, then mark it as paid back here."
        : contact.email === ""
          ? `We have asked Razorpay to send it; ${NOT_TOLD}.`
          : "We have asked Razorpay to send it. The customer is notified once Razorpay has accepted it.";
    return {
      to: withList(href("/admin/appointments/:id", { id }), listSearch),
      title: "Refund Wanted",
      description: `The refund to ${personName(contact.name)} is noted. ${way}`,
    };
  },
});

/** The amounts on offer: all, and half (rounded up) unless less than `LEAST_PAISE` would be kept. */
function sharesOf(keptPaise: number) {
  const half = Math.ceil(keptPaise / 2);
  const isWhole = keptPaise - half < LEAST_PAISE;
  return (isWhole ? [keptPaise] : [keptPaise, half]).map((paise) => {
    const words = `${paise === keptPaise ? "All of it" : "Half"}, ${formatAmount(paise)}`;
    return [rupeesOf(paise).toFixed(2), words] as const;
  });
}

export { action, loader };

export default function RefundPart(props: Route.ComponentProps) {
  const page = useFormPage(props);
  const { session, kept, shares, dispute, offline } = page.view;
  const choices = [...shares, ["part", "An amount"] as const];
  // What was chosen may not be on offer any more: then all of what is kept now.
  const share = choices.find(([value]) => value === page.typed.share)?.[0] ?? shares[0]?.[0];
  return (
    <FormDialog
      id="money"
      page={page}
      title="Refund"
      backTo={href("/admin/appointments/:id", { id: session.id })}
      session={session}
      once
      submit={["Refund", "Refunding...", "danger"]}
      over={kept === null && <p>Nothing of this payment is left, so nothing can go back.</p>}
    >
      <p>
        <strong className="figures">{kept}</strong> is kept.{" "}
        {session.upcoming &&
          "The session stays as it is; to give up its time too, cancel it instead. "}
        {offline
          ? byHandWords(true, session)
          : `The payment provider sends the money the way it was paid, and ${session.erased ? NOT_TOLD : "the customer gets an email with a credit note"}.`}
      </p>
      {dispute && <p className="text-stop">{dispute}</p>}
      <fieldset key={share} className="group/share">
        <legend className="font-semibold">How much goes back</legend>
        <Choices name="share" chosen={share} options={choices} />
        <div className="mt-2 group-not-has-[input[value=part]:checked]/share:hidden">
          <LineField
            name="amount"
            label="Amount in rupees"
            hint={`At most ${kept}.`}
            inputMode="decimal"
            maxLength={12}
          />
        </div>
      </fieldset>
      <LineField
        name="reason"
        label="Reason"
        hint={session.erased ? undefined : "The customer reads it, word for word."}
        maxLength={200}
        required
      />
    </FormDialog>
  );
}
