/** The delivery policy: how, when and where a session takes place. */
import { href } from "react-router";
import { WriteOrCall } from "#app/routes/public/parts/public-page.tsx";
import type { Route } from "./+types/how-it-works";
import { PolicyPage, PolicySection, policyMeta } from "./policy-page.tsx";

export { policyFacts as loader } from "./policy-facts.server.ts";

export const meta = policyMeta(
  "/how-it-works",
  "By video or by phone: what you get, when, and what to do at the hour.",
);

export default function HowItWorks({ loaderData: facts }: Route.ComponentProps) {
  return (
    <PolicyPage
      facts={facts}
      path="/how-it-works"
      lead="By video or by phone, at the time on your session pass. Nothing is sent by post, and you need not go anywhere."
    >
      <PolicySection title="By video or by phone">
        <ul>
          {facts.captains.map(({ name, place }) => (
            <li key={name}>
              <strong>{name}:</strong> {place}.
            </li>
          ))}
        </ul>
        <p>
          {facts.zoom
            ? "The video link is on your booking page as soon as it is made, and comes by email."
            : "The video link is in your confirmation and on your booking page."}{" "}
          A captain who calls uses the phone number of your booking: please keep that line free.
        </p>
      </PolicySection>
      <PolicySection title="When you have paid">
        <p>
          Within minutes you get a confirmation by email
          {facts.whatsapp && ", and by WhatsApp unless you refused it"}. The email holds the GST
          invoice and an entry for your calendar. If you book early enough, we remind you a day
          before and an hour before.
        </p>
      </PolicySection>
      <PolicySection title="At the hour">
        <p>
          The session starts at the time on your pass, which is Indian time (IST), and lasts the
          minutes you booked. Open the link, or take the call. You speak with the captain alone; a
          parent or guardian may join. If you wrote a question when you booked, the captain has it.
        </p>
      </PolicySection>
      <PolicySection title="If something goes wrong">
        <p>
          If the captain is not there after ten minutes, or the call fails, please{" "}
          <WriteOrCall business={facts.business} />. You get all your money back or another time, as{" "}
          <a className="link" href={href("/refunds")}>
            Cancellation and refunds
          </a>{" "}
          says. It also says what holds if you cannot come.
        </p>
      </PolicySection>
    </PolicyPage>
  );
}
