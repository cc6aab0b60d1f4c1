import { href } from "react-router";
import { GST_PERCENT } from "#app/model/price.ts";
import type { Route } from "./+types/terms";
import { policyFacts } from "./policy-facts.server.ts";
import { PolicyPage, PolicySection, policyMeta } from "./policy-page.tsx";

export const loader = policyFacts;

export const meta = policyMeta(
  href("/terms"),
  "Terms",
  "What you book, what it costs, and what we cannot promise.",
);

export default function Terms({ loaderData: facts }: Route.ComponentProps) {
  const { business } = facts;
  return (
    <PolicyPage
      facts={facts}
      title="Terms"
      lead={`What you agree on with ${business.name} when you book a session.`}
    >
      <PolicySection title="What you book">
        <p>
          A one-on-one counselling session about a career in aviation with the captain you chose, of
          the length you chose, at the start time on your session pass, in India's time. It takes
          place by video link or by phone, as the pass says. You may bring a parent or guardian.
        </p>
      </PolicySection>
      <PolicySection title="What we cannot promise">
        <p>
          A medical result, an exam pass, admission, a loan or a job. What the captain tells you is
          experience and opinion; the rules of the DGCA and the terms of schools and airlines
          decide. Check them before you pay anybody for training.
        </p>
      </PolicySection>
      <PolicySection title="Price and payment">
        <p>
          The booking page shows prices with and without {GST_PERCENT}% GST. When you book, the time
          is held for you and you have up to {facts.payMinutes} minutes to start paying. The session
          is confirmed when your payment has arrived; you then get a GST invoice. A time that is not
          paid is offered to others again.
        </p>
      </PolicySection>
      <PolicySection title="Moving, cancelling, refunds">
        <p>
          You can move or cancel with a full refund until {facts.cutoffHours} hours before the
          start.{" "}
          <a className="link" href={href("/refunds")}>
            The rule in full
          </a>
          .
        </p>
      </PolicySection>
      <PolicySection title="Who may book">
        <p>
          Anyone aged 18 or over. For a younger student a parent or guardian books and gives their
          own details. Please give an email address and phone number that reach you.
        </p>
      </PolicySection>
      <PolicySection title="Law and complaints">
        <p>
          Indian law applies. Please bring a complaint to us first: {business.grievanceContact}. We
          acknowledge it within 48 hours and settle it within a month.
        </p>
      </PolicySection>
    </PolicyPage>
  );
}
