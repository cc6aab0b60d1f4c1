import { telLink } from "#app/model/tel-link.ts";
import { BusinessAddress } from "#app/routes/public/parts/public-page.tsx";
import type { Route } from "./+types/contact";
import { PolicyPage, PolicySection, policyMeta } from "./policy-page.tsx";

export { policyFacts as loader } from "./policy-facts.server.ts";

export const meta = policyMeta("/contact", "How to reach us, and where to send a complaint.");

export default function Contact({ loaderData: facts }: Route.ComponentProps) {
  const { business } = facts;
  return (
    <PolicyPage
      facts={facts}
      path="/contact"
      lead="If you have a question about a booking, please give its number. It is on your session pass."
    >
      <PolicySection title="How to reach us">
        <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[auto_1fr]">
          <dt className="text-muted">Email</dt>
          <dd>
            <a className="link" href={`mailto:${business.email}`}>
              {business.email}
            </a>
          </dd>
          {business.phone && (
            <>
              <dt className="text-muted">Phone</dt>
              <dd>
                <a className="link" href={telLink(business.phone)}>
                  {business.phone}
                </a>
              </dd>
            </>
          )}
        </dl>
      </PolicySection>
      <PolicySection title="Complaints">
        <p>{business.grievanceContact}</p>
        <p>We acknowledge a complaint within 48 hours and settle it within a month.</p>
      </PolicySection>
      <PolicySection title="Who we are">
        <BusinessAddress business={business} className="mt-3" />
      </PolicySection>
    </PolicyPage>
  );
}
