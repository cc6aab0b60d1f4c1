import { href } from "react-router";
import { untilWords } from "#app/model/appointment.ts";
import { GST_PERCENT } from "#app/model/money.ts";
import type { Route } from "./+types/terms";
import { PolicyPage, PolicySection, policyMeta } from "./policy-page.tsx";

export { policyFacts as loader } from "./policy-facts.server.ts";

export const meta = policyMeta(
  "/terms",
  "What you book, what it costs and what we cannot promise.",
);

export default function Terms({ loaderData: facts }: Route.ComponentProps) {
  const { business } = facts;
  return (
    <PolicyPage
      facts={facts}
      path="/terms"
      lead={`What applies when you book a session with ${business.name}.`}
    >
      <PolicySection title="What you book">
        <p>
          A one-on-one counselling session about a career in aviation, with the captain and of the
          length you choose. It starts at the time on your session pass, which is Indian time (IST).
          It takes place by video or by phone, as the pass says. A parent or guardian may join. See{" "}
          <a className="link" href={href("/how-it-works")}>
            How the session takes place
          </a>
          .
        </p>
      </PolicySection>
      <PolicySection title="What we cannot promise">
        <p>
          A medical result, an exam pass, admission, a loan or a job. The captain gives you
          experience and opinion. What counts are the rules of the DGCA and the terms of schools and
          airlines. Please check them before you pay anybody for training.
        </p>
      </PolicySection>
      <PolicySection title="Price and payment">
        <p>
          The booking page shows prices with and without {GST_PERCENT}% GST. When you book, we hold
          the time for you, and you have up to {facts.payTime} to start paying. Once your payment
          has arrived, the session is confirmed and you get a GST invoice. If you do not pay, the
          time is offered to others again.
        </p>
      </PolicySection>
      <PolicySection title="Paying safely">
        <p>
          You pay by UPI, card or netbanking through Razorpay, over an encrypted connection, and
          your bank or UPI app asks you to confirm. We never see or store card, UPI or bank details.
          No way of paying costs you a fee of ours, and nothing is charged again by itself.
        </p>
        <p>
          Our payment provider is Razorpay Software Limited, 1st Floor, SJR Cyber, 22 Laskar-Hosur
          Road, Adugodi, Bengaluru 560030. You can reach it at{" "}
          <a className="link wrap-anywhere" href="https://razorpay.com/support/">
            razorpay.com/support
          </a>
          , and its complaints officer at{" "}
          <a
            className="link wrap-anywhere"
            href="https://razorpay.com/grievance-redressal/payments"
          >
            razorpay.com/grievance-redressal/payments
          </a>
          .
        </p>
      </PolicySection>
      <PolicySection title="Charge-back">
        <p>
          If you do not recognise a payment, or think that a sum is wrong, please write to{" "}
          <a className="link" href={`mailto:${business.email}`}>
            {business.email}
          </a>{" "}
          first. You can also ask your bank or card issuer to take the payment back (charge-back).
          The bank then asks us through Razorpay what was booked, and decides. What it has taken
          back is not refunded a second time.
        </p>
      </PolicySection>
      <PolicySection title="Moving, cancelling, refunds">
        <p>
          You can move the session, or cancel it with a full refund, until{" "}
          {untilWords(facts.cutoffHours)}. See{" "}
          <a className="link" href={href("/refunds")}>
            Cancellation and refunds
          </a>
          .
        </p>
      </PolicySection>
      <PolicySection title="Who may book">
        <p>
          Anyone aged 18 or over. For a younger student, a parent or guardian books and gives their
          own details. Please give an email address and a phone number at which we can reach you.
        </p>
      </PolicySection>
      <PolicySection title="Law and complaints">
        <p>
          Indian law applies. If you have a complaint, please tell us first:{" "}
          {business.grievanceContact}. We acknowledge it within 48 hours and settle it within a
          month.
        </p>
      </PolicySection>
    </PolicyPage>
  );
}
