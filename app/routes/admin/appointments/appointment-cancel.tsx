/** Cancels an appointment: by whom and why, the refund, and what the customer reads. */
import { useState } from "react";
import { useHydrated } from "remix-utils/use-hydrated";
import { may } from "#app/auth/require-admin.server.ts";
import {
  cancelAppointment,
  mayKeepPart,
  refundOnCancel,
} from "#app/booking/cancel-and-refund.server.ts";
import { cancelFormSchema } from "#app/booking/change-fields.ts";
import { cutoffOf, hoursWords } from "#app/model/appointment.ts";
import { isOfflinePayment } from "#app/model/ids.ts";
import { formatAmount, formatRupees } from "#app/model/money.ts";
import { refundOfCancellation } from "#app/model/refund.ts";
import { underWayPaise } from "#app/model/under-way.ts";
import {
  CANCEL_REASONS,
  personName,
  reasonWords,
  refundedMoney,
  refundWords,
  underWayWords,
} from "#app/model/wording.ts";
import { ErrorOf, LineField } from "#app/routes/admin/parts/fields.tsx";
import type { Typed } from "#app/routes/admin/parts/form-data.ts";
import { screen } from "#app/routes/admin/parts/form-page.server.ts";
import { FormDialog, useFormPage } from "#app/routes/admin/parts/form-page.tsx";
import { Choices, WhatHappens } from "#app/routes/admin/parts/form-parts.tsx";
import { boardHref } from "#app/routes/admin/parts/list-search.ts";
import { useMay } from "#app/routes/admin/parts/page-parts.tsx";
import { sessionView } from "#app/routes/admin/parts/views.server.ts";
import { byHandWords, NOT_TOLD } from "#app/routes/admin/parts/words.ts";
import { listPaymentsOf, listRefundsOf } from "#db/queries/payments.server.ts";
import type { Route } from "./+types/appointment-cancel";
import { appointmentAsked, disputeWarning } from "./appointment-view.server.ts";

const { loader, action } = screen({
  find: appointmentAsked,
  view: ({ deps, context, about }) => {
    const { id, paymentId } = about;
    const keptPaise = refundOnCancel(deps.db, about);
    const underWay = underWayPaise(listPaymentsOf(deps.db, id), deps.now());
    // Without the right to make refunds, a cancellation refunds everything.
    const mayChoose = may(context, "refunds") && keptPaise > 0;
    return {
      session: sessionView(about, deps.now()),
      money: {
        keptPaise,
        kept: formatAmount(keptPaise),
        /** True only after the published cut-off. */
        mayKeepPart: mayChoose && mayKeepPart(about, deps.env, deps.now()),
        cutoffHours: cutoffOf(about, deps.env.selfServiceCutoffHours),
        /** Of a payment that is being checked; null without one. */
        underWay: underWay > 0 ? underWayWords(formatAmount(underWay)) : null,
        offline: paymentId !== null && isOfflinePayment(paymentId),
        /** A warning before a refund; null without an undecided dispute. */
        dispute: keptPaise > 0 ? disputeWarning(deps, id) : null,
      },
    };
  },
}).one({
  fields: cancelFormSchema,
  run: (input, { deps, actor, about: { id }, once }) =>
    once(`cancel ${id}`, input, () => cancelAppointment(deps, actor, id, input)),
  failed: "Cancellation Failed",
  done: (id, { deps, context, about, listSearch }) => {
    const way = refundOfCancellation(listRefundsOf(deps.db, id))?.way;
    const byHand = may(context, "refunds")
      ? " Please pay the money back by hand, and mark the refund as paid back."
      : " The refund waits for an owner, who pays it back by hand.";
    const sent = way === "provider" ? " We have asked Razorpay to send the money back." : "";
    return {
      to: boardHref(listSearch),
      title: "Appointment Cancelled",
      description: `The appointment of ${personName(about.contact.name)} has been cancelled.${way === "by_hand" ? byHand : sent}`,
    };
  },
});

export { action, loader };

type About = Route.ComponentProps["loaderData"]["view"];

export default function CancelAppointment(props: Route.ComponentProps) {
  // After a refusal `view` is fresh, since another admin may have changed the appointment.
  const page = useFormPage(props);
  const { session, money } = page.view;
  return (
    <FormDialog
      id="money"
      page={page}
      title="Cancel Appointment"
      session={session}
      once
      submit={["Cancel Appointment", "Cancelling...", "danger"]}
      over={session.status === "cancelled" && <p>This appointment is cancelled already.</p>}
      keep="Keep Appointment"
    >
      <CancelFields typed={page.typed} session={session} money={money} />
    </FormDialog>
  );
}

const WHO = [
  ["business", "We do"],
  ["customer", "The customer asked for it"],
] as const;
const START = { by: "business", refund: "full", amount: "", reason: "" };

function CancelFields({ typed, session, money }: About & { typed: Typed }) {
  const hydrated = useHydrated();
  const [wanted, setWanted] = useState({ ...START, ...typed });
  const note = ({ currentTarget: { name, value } }: React.ChangeEvent<HTMLInputElement>) =>
    setWanted({ ...wanted, [name]: value });
  const mayChoose = money.mayKeepPart && (!hydrated || wanted.by === "customer");
  return (
    <>
      <fieldset>
        <legend className="font-semibold">Who cancels</legend>
        <div className="flex flex-wrap gap-x-6">
          <Choices name="by" chosen={wanted.by} options={WHO} onChange={note} />
        </div>
      </fieldset>
      <LineField
        name="reason"
        label="Reason"
        hint={`${session.erased ? "" : "The customer reads it, word for word. "}It may be left empty.`}
        maxLength={200}
        onChange={note}
      />
      {mayChoose && (
        <fieldset>
          <legend className="font-semibold">
            How much goes back, if the customer asked for it
          </legend>
          <p className="text-sm text-muted">
            {session.upcoming
              ? `The session starts in less than ${hoursWords(money.cutoffHours)}`
              : "The session has begun"}
            , so you may keep a part. If we cancel, all of it goes back, whatever you choose here.
          </p>
          <ErrorOf name="refund" id="money-refund-error" />
          <Choices
            name="refund"
            chosen={wanted.refund}
            options={[
              ["full", `All of it, ${money.kept}`],
              ["part", "A part"],
              ["none", "Nothing"],
            ]}
            onChange={note}
          />
          {(!hydrated || wanted.refund === "part") && (
            <LineField
              name="amount"
              label="The part that goes back, in rupees"
              hint={`₹1.00 to ${money.kept}; what stays is nothing or at least ₹1.00`}
              inputMode="decimal"
              maxLength={12}
              onChange={note}
            />
          )}
        </fieldset>
      )}
      <Consequences session={session} money={money} wanted={hydrated ? wanted : null} />
    </>
  );
}

/** The choices so far; null without scripts. */
type Wanted = typeof START | null;

function Consequences({ session, money, wanted }: About & { wanted: Wanted }) {
  const { name, paid, erased } = session;
  const { keptPaise, kept, offline } = money;
  const backPaise = backOf(money, wanted);
  const byHand = byHandWords(useMay("refunds"), session);
  return (
    <WhatHappens>
      {!paid && (
        <li>
          {money.underWay ?? "Nothing was paid."} A payment that still arrives is refunded in full.
        </li>
      )}
      {paid && keptPaise === 0 && (
        <li>Nothing is left to refund: the money has already gone back.</li>
      )}
      {money.dispute && (
        <li>
          <strong className="text-stop">Disputed:</strong> {money.dispute}
        </li>
      )}
      {keptPaise > 0 && backPaise === 0 && <li>Nothing goes back: {kept} is kept.</li>}
      {backPaise !== 0 && (
        <li>
          <strong>A refund is processed:</strong> {sumWords(backPaise, formatAmount)} goes back to{" "}
          {name}, {offline ? "" : "the way it was paid, "}with a credit note for the invoice.
          {!wanted && money.mayKeepPart && " If the customer asked for it: what is chosen above."}
          {offline && ` ${byHand}`}
        </li>
      )}
      {erased ? (
        <li>The captain is notified at once; {NOT_TOLD}.</li>
      ) : (
        <li>
          {paid
            ? `${name} and the captain are notified at once.`
            : `${name} is notified by email at once.`}{" "}
          {wanted
            ? "The customer reads:"
            : "The customer reads who cancels, your reason, and the sum that goes back."}
          {wanted && (
            <span className="mt-1 block break-words border-l-4 border-line pl-3">
              {messageOf(wanted, offline, backPaise)}
            </span>
          )}
        </li>
      )}
      <li>{session.upcoming && "The time is free for others. "}This cannot be undone.</li>
    </WhatHappens>
  );
}

/** The refund in paise; NaN until an amount is entered. */
function backOf({ keptPaise, mayKeepPart }: About["money"], wanted: Wanted): number {
  if (!wanted || !mayKeepPart || wanted.by === "business" || wanted.refund === "full")
    return keptPaise;
  if (wanted.refund === "none") return 0;
  return Math.round(Number(wanted.amount) * 100) || Number.NaN;
}

function sumWords(paise: number, words: (paise: number) => string): string {
  return Number.isNaN(paise) ? "the part that you enter" : words(paise);
}

function messageOf({ by, reason }: typeof START, offline: boolean, backPaise: number): string {
  const said = by === "business" ? CANCEL_REASONS.by_admin : CANCEL_REASONS.by_customer;
  const sum = sumWords(backPaise, formatRupees);
  const refund =
    backPaise === 0
      ? ""
      : refundWords(offline ? "by_hand" : "wanted", refundedMoney("cancelled", sum));
  return [said, reasonWords(reason.trim()), refund].filter(Boolean).join(" ");
}
