/** Takes the place of the form once the payment is through, or is being looked into. */
import { useEffect, useRef } from "react";
import { href } from "react-router";
import { Icon } from "#app/components/icons.tsx";
import { formatDay, formatSlot } from "#app/model/dates.ts";
import { BoardingPass } from "#app/routes/public/parts/boarding-pass.tsx";
import { InvoiceAndCalendar } from "#app/routes/public/parts/document-link.tsx";
import { followUpWords } from "#app/routes/public/parts/follow-up.ts";
import { durationWords, type Offer } from "#app/routes/public/parts/offer.ts";
import { ANSWER_LOST, type PaymentStep } from "#app/routes/public/parts/use-payment.ts";

interface PaymentResultProps {
  step: Extract<PaymentStep, { name: "confirmed" | "checking" }>;
  offer: Offer;
  whatsapp: boolean;
}

export function PaymentResult({ step, offer, whatsapp }: PaymentResultProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
    heading.current?.scrollIntoView({ block: "center" });
  }, []);
  if (step.name === "checking") {
    return (
      <div className="card mx-auto max-w-text p-6 md:p-8">
        <h2 ref={heading} tabIndex={-1} className="display text-2xl">
          Your payment is being checked
        </h2>
        <p className="mt-3">{ANSWER_LOST}</p>
        <a
          className="button button-primary mt-5"
          href={`${href("/booking/:id", { id: step.id })}?payment=checking`}
        >
          See your booking
          <Icon name="arrowRight" />
        </a>
      </div>
    );
  }
  const { appointment } = step;
  const counselor = offer.counselors.find((one) => one.name === appointment.counselor);
  const bought = offer.packages.find((one) => one.minutes === appointment.package);
  return (
    <div className="mx-auto grid max-w-text gap-6">
      <div>
        <h2 ref={heading} tabIndex={-1} className="display flex items-center gap-3 text-3xl">
          <span className="flex size-11 shrink-0 items-center justify-center rounded-full bg-go-soft text-go">
            <Icon name="check" className="size-6" />
          </span>
          Booking Confirmed!
        </h2>
        <p className="mt-3">{followUpWords(appointment.email, whatsapp)}</p>
      </div>
      <BoardingPass
        title="Session pass"
        traveller={appointment.name}
        captain={appointment.counselor}
        date={formatDay(appointment.date)}
        departs={`${formatSlot(appointment.timeSlot)} IST`}
        start={appointment}
        duration={durationWords(appointment.package)}
        gate={counselor?.gate ?? null}
        shortId={appointment.id.slice(-8)}
        stamp={{ text: "Confirmed", tone: "go" }}
        price={bought ? { ...bought, totalLabel: "Paid" } : null}
      />
      <div className="flex flex-wrap gap-3">
        <InvoiceAndCalendar id={appointment.id} invoice={appointment.invoiceUrl !== undefined} />
        <a className="button button-quiet" href={href("/booking/:id", { id: appointment.id })}>
          Your booking page
        </a>
      </div>
    </div>
  );
}
