import { href } from "react-router";
import { BRAND } from "#app/catalogue.ts";
import { depsContext } from "#app/core/deps.server.ts";
import { pageMeta } from "#app/routes/public/parts/page-meta.ts";
import type { Route } from "./+types/contact";
import { policyFacts } from "./policy-facts.server.ts";
import { PolicyPage, PolicySection } from "./policy-page.tsx";

export function loader({ context }: Route.LoaderArgs) {
  return policyFacts(context.get(depsContext).env);
}

export const meta: Route.MetaFunction = ({ loaderData }) =>
  loaderData
    ? pageMeta({
        title: `Contact · ${BRAND.name}`,
        description: "How to reach us, by email, phone and post.",
        url: `${loaderData.publicUrl}${href("/contact")}`,
        publicUrl: loaderData.publicUrl,
      })
    : [];

export default function Contact({ loaderData: { business, unchecked } }: Route.ComponentProps) {
  return (
    <PolicyPage
      business={business}
      unchecked={unchecked}
      title="Contact"
      lead="For a question about a booking, please have the booking number of your session pass at hand."
    >
      <PolicySection title="Write or call">
        <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[auto_1fr]">
          <dt className="text-muted">Email</dt>
          <dd>
            <a className="link" href={`mailto:${business.email}`}>
              {business.email}
            </a>
          </dd>
          <dt className="text-muted">Phone</dt>
          <dd>
            <a className="link" href={`tel:${business.phone.replace(/[^+\d]/g, "")}`}>
              {business.phone}
            </a>
          </dd>
        </dl>
      </PolicySection>
      <PolicySection title="Complaints">
        <p>{business.grievanceContact}</p>
        <p>We acknowledge a complaint within 48 hours and settle it within a month.</p>
      </PolicySection>
      <PolicySection title="Who we are">
        <address className="mt-3 not-italic">
          {business.name}
          <br />
          {business.address}
          {business.gstin && (
            <>
              <br />
              GSTIN {business.gstin}
            </>
          )}
        </address>
      </PolicySection>
    </PolicyPage>
  );
}
