import { Icon, type IconName } from "#app/components/icons.tsx";

interface WhatHappensNextProps {
  whatsapp: boolean;
  cutoffHours: number;
}

export function WhatHappensNext({ whatsapp, cutoffHours }: WhatHappensNextProps) {
  return (
    <section aria-labelledby="after-title" className="mx-auto max-w-page px-4 pt-16 md:px-6">
      <div className="grid gap-10 lg:grid-cols-[1.4fr_1fr]">
        <div>
          <h2 id="after-title" className="display text-2xl">
            What happens after you pay
          </h2>
          <ol className="mt-6 grid gap-5">
            <Stage icon="mail" title="At once">
              An email{whatsapp && " and a WhatsApp message"} with your confirmation, the GST
              invoice, a calendar entry, and how you will meet the captain.
            </Stage>
            <Stage icon="calendar" title={`Until ${cutoffHours} hours before`}>
              If your plans change, move the session or cancel it with a full refund.
            </Stage>
            <Stage icon="clock" title="The day before, and an hour before">
              A reminder, so that nobody misses the call.
            </Stage>
            <Stage icon="bubble" title="The session">
              Your questions set the order. Keep marks, medical papers you already have, and a rough
              budget at hand; you need not send anything.
            </Stage>
          </ol>
        </div>
        <div className="self-start rounded-lg border-2 border-dashed border-edge p-5 md:p-6">
          <h2 className="display text-lg">What we cannot promise</h2>
          <p className="mt-2 text-muted">
            A medical result, an exam pass or a job. Only a DGCA examiner decides on a medical, and
            only an airline decides whom it hires. Rules change; check them at{" "}
            <a className="link" href="https://www.dgca.gov.in/" rel="noreferrer">
              dgca.gov.in
            </a>
            .
          </p>
        </div>
      </div>
    </section>
  );
}

function Stage({
  icon,
  title,
  children,
}: {
  icon: IconName;
  title: string;
  children: React.ReactNode;
}) {
  return (
    <li className="flex gap-4">
      <span className="flex size-11 shrink-0 items-center justify-center rounded-full bg-action-soft text-action">
        <Icon name={icon} />
      </span>
      <div className="min-w-0">
        <h3 className="font-semibold">{title}</h3>
        <p className="max-w-text text-muted">{children}</p>
      </div>
    </li>
  );
}
