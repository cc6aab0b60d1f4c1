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
              We email your confirmation, the GST invoice, a calendar entry and how to join
              {whatsapp && ", and confirm on WhatsApp"}.
            </Stage>
            <Stage icon="calendar" title={`Until ${cutoffHours} hours before`}>
              You can move the session, or cancel it with a full refund.
            </Stage>
            <Stage icon="clock" title="A day and an hour before">
              We send you a reminder.
            </Stage>
            <Stage icon="bubble" title="The session">
              It begins with your questions. Have your marks, any medical papers and a rough budget
              at hand. You need not send us anything.
            </Stage>
          </ol>
        </div>
        <div className="self-start rounded-lg border-2 border-dashed border-edge p-5 md:p-6">
          <h2 className="display text-lg">What we cannot promise</h2>
          <p className="mt-2 text-muted">
            A medical result, an exam pass or a job. Only a DGCA examiner decides on your medical,
            and only an airline decides whom it hires. Rules change, so please check them at{" "}
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
