import { href } from "react-router";
import type { Route } from "./+types/privacy";
import { policyFacts } from "./policy-facts.server.ts";
import { PolicyPage, PolicySection, policyMeta } from "./policy-page.tsx";

export const loader = policyFacts;

export const meta = policyMeta(
  href("/privacy"),
  "Privacy",
  "Which data we collect for a booking, why, and for how long.",
);

export default function Privacy({ loaderData: facts }: Route.ComponentProps) {
  const { business, whatsapp } = facts;
  return (
    <PolicyPage
      facts={facts}
      title="Privacy"
      lead="We collect what a booking needs, use it for that booking, and run no trackers."
    >
      <PolicySection title="What we collect, and why">
        <ul>
          <li>
            <strong>Name, email, phone:</strong> to hold the session, to send the confirmation,
            reminders and changes by email{whatsapp && " and WhatsApp"}, and for the captain to
            reach you.
          </li>
          <li>
            <strong>Captain, package, date, time:</strong> the booking itself.
          </li>
          <li>
            <strong>State and your question, if you give them:</strong> the state for the kind of
            GST on the invoice, the question for the captain. Please send no medical documents.
          </li>
          <li>
            <strong>A company’s GSTIN, name and address, if you give them:</strong> for an invoice
            in the company’s name.
          </li>
          <li>
            <strong>Payment reference, amount and state:</strong> from our payment provider. We
            never see or store card, UPI or bank details.
          </li>
          <li>
            <strong>Your network address and the time of booking:</strong> against misuse, and to
            prove which notice you were shown.
          </li>
        </ul>
      </PolicySection>
      <PolicySection title="Who else handles it">
        <ul>
          <li>Razorpay, for the payment and refunds.</li>
          <li>The captain you chose, for the session.</li>
          <li>Our email provider{whatsapp && ", WhatsApp (Meta),"} and our hosting provider.</li>
        </ul>
        <p>We do not sell your data or use it for advertising.</p>
      </PolicySection>
      <PolicySection title="How long we keep it">
        <ul>
          <li>A booking that was never paid: {facts.unpaidDays} days.</li>
          <li>Technical records of payments and messages: {facts.eventsDays} days.</li>
          <li>
            A paid booking: until you ask us to delete it or it is no longer needed. Invoices and
            credit notes stay for 72 months, as tax law asks.
          </li>
        </ul>
      </PolicySection>
      <PolicySection title="Cookies">
        <p>
          One, for six hours: it lets your browser find the time it is holding, so that you can go
          on to pay, or the session you have just paid. There are no others on the public pages.
        </p>
      </PolicySection>
      <PolicySection title="Children">
        <p>
          If the student is under 18, a parent or guardian books and gives their own name, email and
          phone. The student may of course join the call.
        </p>
      </PolicySection>
      <PolicySection title="Your rights">
        <p>
          You can see, correct or delete your data, withdraw your consent, or complain: write to{" "}
          <a className="link" href={`mailto:${business.email}`}>
            {business.email}
          </a>{" "}
          or to {business.grievanceContact}. {whatsapp && "Answer STOP to end WhatsApp messages. "}
          If we do not settle it, you may turn to the Data Protection Board of India.
        </p>
      </PolicySection>
    </PolicyPage>
  );
}
