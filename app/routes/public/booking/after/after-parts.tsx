/** On the booking page: the plan after the session, and the next booking. */
import { href } from "react-router";
import { Icon } from "#app/components/icons.tsx";
import { TextBlocks } from "#app/components/text-blocks.tsx";
import { saveEntries } from "#app/routes/public/parts/saved-entries.ts";
import type { AfterView } from "./after-view.server.ts";

export function AfterSession({ after: { id, plan } }: { after: AfterView }) {
  if (!plan) return null;
  return (
    <section aria-labelledby="plan-title" className="card grid gap-4 p-5 shadow-low md:p-6">
      <div>
        <h2 id="plan-title" className="display text-lg">
          Your plan
        </h2>
        <p className="text-muted">{`From ${plan.captain}, sent on ${plan.at}.`}</p>
      </div>
      {plan.blocks ? (
        <>
          <TextBlocks blocks={plan.blocks} />
          <a
            className="button button-quiet no-print sm:w-fit"
            href={href("/booking/:id/plan.pdf", { id })}
            target="_blank"
            rel="noopener"
          >
            <Icon name="download" />
            Plan as PDF<span className="sr-only"> (opens in a new tab)</span>
          </a>
        </>
      ) : (
        <>
          <p className="no-print">
            It is personal, so this page shows it only to who knows the email address of the
            booking. You also have it by email.
          </p>
          <a
            className="button button-primary no-print sm:w-fit"
            href={href("/booking/:id/open", { id })}
          >
            Show the plan
          </a>
        </>
      )}
    </section>
  );
}

/** Leads to the form with the captain filled in, and with scripts also the name. */
export function BookNext({ next }: { next: NonNullable<AfterView["next"]> }) {
  const { counselor, name } = next;
  const query = counselor ? `?${new URLSearchParams({ counselor })}` : "";
  return (
    <a
      className="button button-quiet"
      href={`${href("/")}${query}#book`}
      onClick={() => saveEntries({ name, ...(counselor && { counselor }) })}
    >
      Book the next session
    </a>
  );
}
