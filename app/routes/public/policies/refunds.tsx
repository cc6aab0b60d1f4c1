import { href } from "react-router";
import { WriteOrCall } from "#app/routes/public/parts/public-page.tsx";
import type { Route } from "./+types/refunds";
import { policyFacts } from "./policy-facts.server.ts";
import { PolicyPage, PolicySection, policyMeta } from "./policy-page.tsx";

export const loader = policyFacts;

export const meta = policyMeta(
  href("/refunds"),
  "Cancellation and refunds",
  "When you get your money back, how much and how fast.",
);

export default function Refunds({ loaderData: facts }: Route.ComponentProps) {
  const { business, cutoffHours } = facts;
  const cases = [
    [`You cancel ${cutoffHours} hours or more before the start`, "The full amount, GST included"],
    [
      "You want to cancel or move later than that",
      "Not possible online. Contact us, and we will see what we can do",
    ],
    ["We cancel, at any time", "The full amount, GST included"],
    ["Your payment arrives after somebody else took your time", "The full amount, automatically"],
    ["You paid twice for one booking", "The second payment in full, automatically"],
    ["You paid a different amount than the price", "That payment in full, automatically"],
  ] as const;
  return (
    <PolicyPage
      facts={facts}
      title="Cancellation and refunds"
      lead={`Until ${cutoffHours} hours before the start you can move your session, or cancel it with a full refund.`}
    >
      <PolicySection title="What you get back">
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
                <th scope="row" className="w-1/2 py-3 pr-4 text-left font-semibold">
                  {situation}
                </th>
                <td className="py-3">{refund}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </PolicySection>
      <PolicySection title="Moving a session">
        <p>
          Until {cutoffHours} hours before the start you can move to any free time of the same
          captain. It costs nothing, and your invoice stays as it is.
        </p>
      </PolicySection>
      <PolicySection title="How and how fast">
        <p>
          Refunds go back the way you paid, through Razorpay. Once sent, they usually show in your
          account in 5 to 7 working days. Your booking page shows how far your refund is. If you got
          an invoice, you also get a credit note.
        </p>
      </PolicySection>
      <PolicySection title="Something is wrong?">
        <p>
          Please <WriteOrCall business={business} /> and give your booking number.
        </p>
      </PolicySection>
    </PolicyPage>
  );
}
