/** Cancel: who cancels and why, what happens to the money, and what the customer is told. */

import { useState } from "react";
import { useHydrated } from "remix-utils/use-hydrated";
import { may } from "#app/auth/require-admin.server.ts";
import {
  cancelAppointment,
  mayKeepPart,
  refundOnCancel,
} from "#app/booking/cancel-appointment.server.ts";
import { cancelFormSchema } from "#app/booking/staff-fields.ts";
import { FieldError, TextField } from "#app/components/field.tsx";
import { type Deps, depsContext } from "#app/core/deps.server.ts";
import { formatAmount, formatRupees } from "#app/model/money.ts";
import { isOfflinePayment } from "#app/model/offline-payment.ts";
import { CANCEL_REASONS, refundSubject, refundWords } from "#app/model/wording.ts";
import { newFormKey, onceForForm } from "#app/routes/admin/parts/form-page.server.ts";
import { actorOf, carryOut, goOn } from "#app/routes/admin/parts/forms.server.ts";
import { boardHref, listSearchOf } from "#app/routes/admin/parts/list-search.ts";
import { useMay } from "#app/routes/admin/parts/page-parts.tsx";
import { useAnswer } from "#app/routes/admin/parts/submission.ts";
import type { SessionView } from "#app/routes/admin/parts/views.server.ts";
import { sessionView } from "#app/routes/admin/parts/views.server.ts";
import { BY_HAND, BY_OWNER } from "#app/routes/admin/parts/words.ts";
import { listRefundsOf } from "#db/queries/payments.server.ts";
import type { Route } from "./+types/appointment-cancel";
import { disputeWarning, requireAppointment } from "./appointment-view.server.ts";
import { typedOf } from "./booking-form-view.server.ts";
import { WhatHappens } from "./confirm-dialog.tsx";
import { MoneyDialog } from "./money-dialog.tsx";
import type { Of } from "./new-booking-fields.tsx";

const FAILED = "Cancellation Failed";

export function loader({ params, url, context }: Route.LoaderArgs) {
  const view = readView(context.get(depsContext), params.id, may(context, "refunds"));
  return { ...view, formKey: newFormKey(), listSearch: listSearchOf(url) };
}

/** `mayChoose`: who may not give back a part or nothing gives back all, and is not asked. */
function readView(deps: Deps, id: string, mayChoose: boolean) {
  const appointment = requireAppointment(deps, id);
  const { paymentId } = appointment;
  const keptPaise = refundOnCancel(deps, appointment);
  return {
    session: sessionView(appointment, deps.now()),
    money: {
      keptPaise,
      kept: formatAmount(keptPaise),
      mayKeepPart: mayChoose && keptPaise > 0 && mayKeepPart(appointment, deps.env, deps.now()),
      cutoffHours: deps.env.selfServiceCutoffHours,
      offline: paymentId !== null && isOfflinePayment(paymentId),
      dispute: keptPaise > 0 ? disputeWarning(deps, id) : null,
    },
  };
}

export async function action({ params, request, url, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const { id } = params;
  const before = requireAppointment(deps, id);
  const mayChoose = may(context, "refunds");
  const form = await request.formData();
  const done = await carryOut(form, cancelFormSchema, (input) => {
    const work = () => cancelAppointment(deps, actorOf(context), id, input);
    return onceForForm(deps, form, `cancel ${id}`, input, work, () => id);
  });
  if (!done.ok)
    return done.refuse(FAILED, { ...readView(deps, id, mayChoose), values: typedOf(form) });
  const refund = listRefundsOf(deps.db, id).find(({ reason }) => reason === "cancelled");
  const way =
    refund?.way === "by_hand"
      ? mayChoose
        ? " Please pay the refund back by hand, and mark it as paid back."
        : " The refund waits for an owner, who pays it back by hand."
      : refund
        ? " The refund is on its way to the payment provider."
        : "";
  return goOn(deps, boardHref(listSearchOf(url)), {
    title: "Appointment Cancelled",
    description: `The appointment of ${before.contact.name} has been cancelled.${way}`,
  });
}

export default function CancelAppointment({ loaderData, actionData }: Route.ComponentProps) {
  const answer = useAnswer(actionData, FAILED);
  // After a refusal the fresh row: another admin may have been first.
  const { session, money } = { ...loaderData, ...answer };
  const over = session.status === "cancelled";
  return (
    <MoneyDialog
      title="Cancel Appointment"
      closeTo={boardHref(loaderData.listSearch)}
      session={session}
      formKey={loaderData.formKey}
      answer={answer}
      press={over ? null : ["Cancel Appointment", "Cancelling...", "danger"]}
      keep="Keep Appointment"
    >
      {(of) =>
        over ? (
          <p>This appointment is cancelled already.</p>
        ) : (
          <CancelFields of={of} session={session} money={money} />
        )
      }
    </MoneyDialog>
  );
}

interface CancelFieldsProps {
  of: Of;
  session: SessionView;
  money: Money;
}

interface Money {
  /** Paise. */
  keptPaise: number;
  kept: string;
  /** Later than the published cut-off. */
  mayKeepPart: boolean;
  cutoffHours: number;
  offline: boolean;
  /** What to know of a dispute before anything goes back. */
  dispute: string | null;
}

const START = { by: "business", refund: "full", amount: "", reason: "" };

export function CancelFields({ of, session, money }: CancelFieldsProps) {
  const hydrated = useHydrated();
  const sent = (name: keyof typeof START, usual: string) => of(name).shown ?? usual;
  const [wish, setWish] = useState({
    ...{ by: sent("by", START.by), refund: sent("refund", START.refund) },
    ...{ amount: sent("amount", START.amount), reason: sent("reason", START.reason) },
  });
  const choice = (name: "by" | "refund", value: string, words: string) => (
    <label className="flex min-h-11 items-center gap-2">
      <input
        type="radio"
        name={name}
        value={value}
        defaultChecked={wish[name] === value}
        onChange={() => setWish({ ...wish, [name]: value })}
        className="size-5 shrink-0"
      />
      {words}
    </label>
  );
  const mayChoose = money.mayKeepPart && (!hydrated || wish.by === "customer");
  return (
    <>
      <fieldset>
        <legend className="font-semibold">Who cancels</legend>
        <div className="flex flex-wrap gap-x-6">
          {choice("by", "business", "We do")}
          {choice("by", "customer", "The customer asked for it")}
        </div>
      </fieldset>
      <TextField
        {...of("reason")}
        label="Reason"
        hint="The customer reads it, word for word. It may be left empty."
        autoComplete="off"
        maxLength={200}
        onChange={(event) => setWish({ ...wish, reason: event.currentTarget.value })}
      />
      {mayChoose && (
        <fieldset>
          <legend className="font-semibold">
            How much goes back, if the customer asked for it
          </legend>
          <p className="text-sm text-muted">
            {`It is later than ${money.cutoffHours} hours before the session, so you may keep a part. When we cancel, all of it goes back, whatever is chosen here.`}
          </p>
          <FieldError id="money-refund-error" errors={of("refund").field.errors} />
          {choice("refund", "full", `All of it, ${money.kept}`)}
          {choice("refund", "part", "A part")}
          {choice("refund", "none", "Nothing")}
          {(!hydrated || wish.refund === "part") && (
            <TextField
              {...of("amount")}
              label="The part that goes back, in rupees"
              hint={`₹1.00 to ${money.kept}; what stays is nothing or at least ₹1.00`}
              inputMode="decimal"
              autoComplete="off"
              maxLength={12}
              onChange={(event) => setWish({ ...wish, amount: event.currentTarget.value })}
            />
          )}
        </fieldset>
      )}
      <Consequences session={session} money={money} wish={hydrated ? wish : null} />
    </>
  );
}

interface ConsequencesProps extends Pick<CancelFieldsProps, "session" | "money"> {
  /** Null where no script follows what is chosen. */
  wish: typeof START | null;
}

function Consequences({ session, money, wish }: ConsequencesProps) {
  const { name, paid } = session;
  const { keptPaise, kept, offline } = money;
  const backPaise = backOf(money, wish);
  const byHand = useMay("refunds") ? BY_HAND : BY_OWNER;
  return (
    <WhatHappens>
      {!paid && <li>Nothing was paid. A payment that still arrives is refunded in full.</li>}
      {paid && keptPaise === 0 && <li>Nothing is left to refund: the money went back before.</li>}
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
          {!wish && money.mayKeepPart && " If the customer asked for it: what is chosen above."}
          {offline && ` ${byHand}`}
        </li>
      )}
      <li>
        {paid ? `${name} and the captain are told at once.` : `${name} is told by email at once.`}{" "}
        {wish
          ? "The customer reads:"
          : "The customer reads who cancels, your reason, and the sum that goes back."}
        {wish && (
          <span className="mt-1 block break-words border-l-4 border-line pl-3">
            {messageOf(wish, money, backPaise)}
          </span>
        )}
      </li>
      <li>The time is free for others. This cannot be undone.</li>
    </WhatHappens>
  );
}

/** What goes back, paise; NaN while it is not said. */
function backOf({ keptPaise, mayKeepPart }: Money, wish: ConsequencesProps["wish"]): number {
  if (!wish || !mayKeepPart || wish.by === "business" || wish.refund === "full") return keptPaise;
  if (wish.refund === "none") return 0;
  return Math.round(Number(wish.amount) * 100) || Number.NaN;
}

function sumWords(paise: number, words: (paise: number) => string): string {
  return Number.isNaN(paise) ? "the part that you enter" : words(paise);
}

function messageOf({ by, reason }: typeof START, { offline }: Money, backPaise: number): string {
  const said = by === "business" ? CANCEL_REASONS.by_admin : CANCEL_REASONS.by_customer;
  const sum = sumWords(backPaise, formatRupees);
  const refund =
    backPaise === 0
      ? ""
      : refundWords(offline ? "by_hand" : "wanted", refundSubject("cancelled", sum));
  return [said, reason.trim() && `Reason: ${reason.trim()}`, refund].filter(Boolean).join(" ");
}
