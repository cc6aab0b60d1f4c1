import { hoursWords, untilWords } from "#app/model/appointment.ts";
import { WriteOrCall } from "#app/routes/public/parts/public-page.tsx";
import type { Route } from "./+types/refunds";
import { PolicyPage, PolicySection, policyMeta } from "./policy-page.tsx";

export { policyFacts as loader } from "./policy-facts.server.ts";

export const meta = policyMeta("/refunds", "When you get your money back, how much and how fast.");

const ALL_OR_ANOTHER_TIME = "The full amount, GST included, or another time: you choose";

export default function Refunds({ loaderData: facts }: Route.ComponentProps) {
  const { business, cutoffHours } = facts;
  const hours = hoursWords(cutoffHours);
  const [youCancel, later] =
    cutoffHours === 0
      ? ["You cancel before the start", "After the start"]
      : [`You cancel ${hours} or more before the start`, `Less than ${hours} before the start`];
  const cases = [
    [youCancel, "The full amount, GST included"],
    [
      "You want to cancel or move later than that",
      "Not possible online. Please ask us: see below what you can ask for",
    ],
    ["We cancel, at any time", "The full amount, GST included"],
    ["The captain does not come", ALL_OR_ANOTHER_TIME],
    ["The captain is ten minutes late", ALL_OR_ANOTHER_TIME],
    ["The video or phone call fails", ALL_OR_ANOTHER_TIME],
    [
      "You do not come",
      "Nothing. If something kept you from coming, please write to us within 48 hours",
    ],
    ["Your payment arrives after somebody else took your time", "The full amount, automatically"],
    ["You paid twice for one booking", "The second payment in full, automatically"],
    ["You paid a different amount than the price", "That payment in full, automatically"],
  ] as const;
  return (
    <PolicyPage
      facts={facts}
      path="/refunds"
      lead={`Until ${untilWords(cutoffHours)} you can move your session, or cancel it with a full refund.`}
    >
      <PolicySection title="What you get back">
        <div className="rows-in-room">
          <table className="w-full border-collapse">
            <thead className="sr-only">
              <tr>
                <th scope="col">Case</th>
                <th scope="col">Refund</th>
              </tr>
            </thead>
            <tbody>
              {cases.map(([situation, refund]) => (
                <tr key={situation} className="border-b border-line align-top first:border-t">
                  <th scope="row" className="py-3 pr-4 text-left font-semibold @min-[14rem]:w-1/2">
                    {situation}
                  </th>
                  <td className="py-3">{refund}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </PolicySection>
      <PolicySection title="Moving a session">
        <p>
          Until {untilWords(cutoffHours)} you can move to any free time of the same captain. It
          costs nothing, and your invoice stays as it is.
        </p>
      </PolicySection>
      <PolicySection title={later}>
        <p>
          You can still ask us (not the captain) for another time, or for all or a part of your
          money. Please <WriteOrCall business={business} />, before the start if you can, and give
          your booking number. We look at each case, and tell you what we decide and why.
        </p>
      </PolicySection>
      <PolicySection title="If the session does not take place">
        <p>
          If the captain does not come or is ten minutes late, or the call fails, please{" "}
          <WriteOrCall business={business} /> and say whether you want your money back or another
          time. If you could not come yourself, write within 48 hours of the start and tell us what
          kept you: we look at it, but promise nothing.
        </p>
      </PolicySection>
      <PolicySection title="How and how fast">
        <p>
          What you paid through Razorpay goes back the same way. Once sent, it usually shows in your
          account in 5 to 7 working days. What you paid to us directly we pay back ourselves, and
          write to you once it is done. Your booking page shows how far your refund is. If you got
          an invoice, you also get a credit note.
        </p>
      </PolicySection>
      <PolicySection title="Something is wrong?">
        <p>
          Please <WriteOrCall business={business} /> and give your booking number. If you do not
          agree with what we decide, send a complaint to {business.grievanceContact}. We acknowledge
          a complaint within 48 hours and settle it within a month.
        </p>
      </PolicySection>
    </PolicyPage>
  );
}
