/** At a session's time: the captain's button, the reports, and the buttons that settle them. */
import { href, useLocation } from "react-router";
import { telLink } from "#app/model/tel-link.ts";
import type { HelpView } from "./help-view.server.ts";
import { ButtonForm, useMay } from "./page-parts.tsx";

export function CallLink({ name, phone }: { name: string; phone: string }) {
  return (
    <a
      href={telLink(phone)}
      className="link inline-flex min-h-8 items-center justify-self-start wrap-anywhere"
    >
      Call {name} on {phone}
    </a>
  );
}

export function HelpCalls({ help }: { help: HelpView | null }) {
  const { pathname, search } = useLocation();
  const maySettle = useMay("bookings");
  if (!help || (!help.canCall && help.calls.length === 0)) return null;
  const { id, name, phone, startsAt, canCall, calls } = help;
  const back = pathname + search;
  const button = (answer: string, words: string, look: string) => (
    <button
      type="submit"
      name="answer"
      value={answer}
      aria-label={`${words}: ${name}`}
      className={`button button-small ${look}`}
    >
      {words}
    </button>
  );
  return (
    <div className="no-print mt-2 grid w-full gap-2">
      {canCall && (
        <ButtonForm
          sends={{ back }}
          action={href("/admin/appointments/:id/help", { id })}
          preventScrollReset
        >
          <button type="submit" className="button button-quiet">
            The customer is not here
          </button>
        </ButtonForm>
      )}
      {calls.some(({ isOpen }) => isOpen) && phone && <CallLink name={name} phone={phone} />}
      {calls.map(({ side, words, asked, does, isOpen }) => (
        <div key={side} className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <p className="min-w-0 break-words">{words}</p>
          {maySettle && isOpen && (
            <ButtonForm
              sends={{ back, asked, startsAt }}
              action={href("/admin/appointments/:id/help/:side", { id, side })}
              preventScrollReset
              className="flex flex-wrap gap-2"
            >
              {does && button("confirm", does, "button-primary")}
              {button("close", "Settled", "button-quiet")}
            </ButtonForm>
          )}
        </div>
      ))}
    </div>
  );
}
