/** Around the session's time: reports that the captain is not there, and shows what followed. */
import { useEffect } from "react";
import { href, useRevalidator } from "react-router";
import { telLink } from "#app/model/tel-link.ts";
import { type BusinessView, WriteOrCall } from "#app/routes/public/parts/public-page.tsx";
import type { HelpView } from "./help-view.server.ts";

interface HelpCardProps {
  help: HelpView;
  business: BusinessView;
  /** True on the help page itself, to which the card otherwise links. */
  isOwnPage?: boolean;
}

export function HelpCard({ help, business, isOwnPage = false }: HelpCardProps) {
  const { id, canCall, isByPhone, from, opensIn, missed, called, canAsk } = help;
  const { revalidate } = useRevalidator();
  // Reads the page's data again when it shows something else, for example the button.
  useEffect(() => {
    if (opensIn === null) return;
    let timer = setTimeout(look, opensIn + 1000);
    // Again until the page shows something else: a phone that slept has no network at first.
    function look() {
      timer = setTimeout(look, 15_000);
      if (navigator.onLine) void revalidate();
    }
    return () => clearTimeout(timer);
  }, [opensIn, revalidate]);
  const reach = business.phone ? (
    <>
      call{" "}
      <a className="link whitespace-nowrap" href={telLink(business.phone)}>
        {business.phone}
      </a>
    </>
  ) : (
    <WriteOrCall business={business} />
  );
  if (!canCall && from === null && !missed && !called) return null;
  const notified = called?.isCaptainNotified ? "the captain and our team" : "our team";
  const to = href("/booking/:id/help", { id });
  return (
    <section aria-label="Help at the hour" className="no-print card grid gap-3 p-5 shadow-low">
      {missed && (
        <p>
          {missed} If you are there, please {reach}.
        </p>
      )}
      {from && <p>If the captain does not come, you can say so here from {from} IST on.</p>}
      {canCall && (
        <form method="post" action={to} className="grid justify-items-start gap-2">
          <input type="hidden" name="asks" value="call" />
          <p>
            {isByPhone
              ? "Has the captain not called you?"
              : "Are you in the session, and the captain is not?"}{" "}
            We notify both them and our team.
          </p>
          <button type="submit" className="button button-quiet">
            The captain is not here
          </button>
        </form>
      )}
      {called && (
        <div role="status" className="grid gap-3">
          <p className="font-semibold">
            {called.isRepeat
              ? `You have said so already, at ${called.at}: ${notified} ${called.isCaptainNotified ? "know" : "knows"}.`
              : `You said at ${called.at} that the captain is not here. We have notified ${notified}.`}
          </p>
          {called.asked && <p>You have asked for: {called.asked}.</p>}
          {called.settledAt ? (
            <p>
              Our team closed this at {called.settledAt}
              {called.asked && ", without moving or cancelling the session"}. If something is still
              open, please {reach}.
            </p>
          ) : (
            <p>
              {called.asked && "Once our team confirms it, you get an email. "}
              To reach us now, {reach}.
            </p>
          )}
          {canAsk && !isOwnPage && (
            <a className="button button-quiet sm:w-fit" href={to}>
              {called.asked ? "Ask for something else" : "Ask for another time or your money back"}
            </a>
          )}
        </div>
      )}
    </section>
  );
}
