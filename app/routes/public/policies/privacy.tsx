import type { Route } from "./+types/privacy";
import { PolicyPage, PolicySection, policyMeta } from "./policy-page.tsx";

export { policyFacts as loader } from "./policy-facts.server.ts";

export const meta = policyMeta(
  "/privacy",
  "Which data we collect for a booking, why and for how long.",
);

export default function Privacy({ loaderData: facts }: Route.ComponentProps) {
  const { business, whatsapp } = facts;
  return (
    <PolicyPage
      facts={facts}
      path="/privacy"
      lead="We collect what a booking needs, and we use it for that booking. There are no trackers on this site."
    >
      <PolicySection title="What we collect, and why">
        <ul>
          <li>
            <strong>Name, email, phone:</strong> to hold the session, to send you the confirmation,
            reminders and changes by email{whatsapp && " and WhatsApp"}, and so that the captain can
            reach you.
          </li>
          <li>
            <strong>The student’s name, if the session is for somebody else:</strong> for the
            captain and the pass. If the student is under 18, also your relation to them, and what
            you confirmed as parent or guardian, with the time.
          </li>
          <li>
            <strong>Your answers to questions before the session, if there are any:</strong> for the
            captain. Please write nothing of medical papers in them.
          </li>
          <li>
            <strong>Captain, package, date, time:</strong> for the booking itself.
          </li>
          <li>
            <strong>Your state and your question, if you give them:</strong> the state for the GST
            on the invoice, the question for the captain. Please send no medical documents.
          </li>
          <li>
            <strong>The plan that the captain writes after your session:</strong> to send it to you
            and to show it on your booking page.
          </li>
          <li>
            <strong>If you or the captain are missing at the hour:</strong> who said so and when,
            and the time or the money that you ask for, so that our team can help.
          </li>
          <li>
            <strong>Your rating, if you give one:</strong> your stars count on the captain’s page.
            We show your words and first name only if you say so. If we erase your data, only the
            stars stay, without anything that leads to you.
          </li>
          <li>
            <strong>A company’s GSTIN, name and address, if you give them:</strong> for an invoice
            in the company’s name. If you live outside India, your address and country are for the
            invoice too.
          </li>
          <li>
            <strong>Payment reference, amount and status:</strong> from our payment provider, to
            match your payment. We never see or store card, UPI or bank details.
          </li>
          <li>
            <strong>Email and phone of whoever paid money that fits no booking:</strong> from our
            payment provider, to find out whose it is. We erase them once the money is put to a
            booking or sent back.
          </li>
          <li>
            <strong>Your network address and the time of booking:</strong> to prevent misuse, and to
            prove which notice you saw.
          </li>
        </ul>
      </PolicySection>
      <PolicySection title="Who else gets it">
        <ul>
          <li>Razorpay, for the payment and refunds.</li>
          <li>The captain you chose, for the session.</li>
          {facts.zoom && <li>Zoom, if your session takes place there: the date and time.</li>}
          <li>Our email provider{whatsapp && ", WhatsApp (Meta),"} and our hosting provider.</li>
        </ul>
        <p>We do not sell your data or use it for advertising.</p>
      </PolicySection>
      <PolicySection title="How long we keep it">
        <ul>
          <li>A booking that was never paid: {facts.unpaidDays} days.</li>
          <li>Technical records of payments and messages: {facts.eventsDays} days.</li>
          <li>
            A paid booking: until you ask us to erase it, or we no longer need it. We keep invoices
            and credit notes, with the name, GSTIN and address printed on them, at least{" "}
            {facts.kept}, as tax law requires. None of them is deleted automatically.
          </li>
          <li>
            Copies for emergencies: at most{" "}
            {facts.copyDays === 1 ? "one day" : `${facts.copyDays} days`}. If we have to go back to
            one, what was erased since then is erased again.
          </li>
        </ul>
      </PolicySection>
      <PolicySection title="How we protect it">
        <p>
          All that goes between your browser and this site is encrypted. Only people who work on
          bookings can sign in, each with a role that shows no more than the work needs: a captain
          sees their own sessions, and never your email. We store no password that can be read, and
          we note who changed what. Copies that our service sends elsewhere are encrypted first. If
          your data comes into wrong hands, we tell you and the Data Protection Board of India
          without delay.
        </p>
      </PolicySection>
      <PolicySection title="Cookies and your browser">
        <p>
          We use two cookies on the public pages, each for six hours. One lets our pages find the
          booking you made last, so that you can go on to pay, or choose another time without typing
          everything again. The other is set when you open a booking with its email address, so that
          this browser shows its plan and your answers.
        </p>
        <p>
          What you type into the booking form is kept in this tab of your browser until you have
          paid, open your booking’s page or close the tab. It reaches us only when you send the
          form.
        </p>
      </PolicySection>
      <PolicySection title="Children">
        <p>
          If the student is under 18, a parent or guardian books and gives their own name, email and
          phone. Once the booking is paid, we mail them a link to a page where they confirm that
          they agree; all messages go to them alone. The student can of course join the call.
        </p>
      </PolicySection>
      <PolicySection title="Your rights">
        <p>
          You can have all we hold about you as a file, have it corrected or erased, withdraw your
          consent, complain, or name somebody who may do all this for you should you die or no
          longer be able to (nomination). Please write from the email address of your booking to{" "}
          <a className="link" href={`mailto:${business.email}`}>
            {business.email}
          </a>{" "}
          or to {business.grievanceContact}.{" "}
          {whatsapp &&
            "You can refuse WhatsApp when you book, and reply STOP to end its messages. "}
          We answer within 90 days. We acknowledge a complaint within 48 hours and settle it within
          a month. If we do not settle it, you can turn to the Data Protection Board of India.
        </p>
        <p>
          On request we give you this notice in any language of the Eighth Schedule to the
          Constitution, for example in Hindi, Tamil or Bengali.
        </p>
        <p>
          Erasing empties your name, email, phone and everything you wrote to us. A session still to
          come has to be cancelled first. The invoices above stay, and only we can open them then.
          If you replied STOP on WhatsApp, we then keep only a coded form of your number, so that we
          can honour your wish. If we have to go back to an older copy, a coded form of your
          address, or of a deleted booking’s ID, lets us erase your data there again.
        </p>
      </PolicySection>
    </PolicyPage>
  );
}
