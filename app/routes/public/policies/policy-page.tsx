/** A page of terms: one column of plain text, short sections, the business's own data in it. */
import type { ReactNode } from "react";
import { type BusinessView, PublicPage } from "#app/routes/public/parts/public-page.tsx";

interface PolicyPageProps {
  business: BusinessView;
  title: string;
  lead: string;
  /** True while the site runs with sample data: the owner has not checked the text yet. */
  unchecked: boolean;
  children: ReactNode;
}

export function PolicyPage({ business, title, lead, unchecked, children }: PolicyPageProps) {
  return (
    <PublicPage business={business}>
      <article className="mx-auto max-w-text px-4 py-10 md:px-6 md:py-14">
        {unchecked && (
          <p className="mb-6 rounded-sm bg-waiting-soft p-3 text-waiting-ink">
            Draft, to be checked by the owner before the site goes live.
          </p>
        )}
        <h1 className="display text-2xl md:text-3xl">{title}</h1>
        <p className="mt-3 text-lg text-muted">{lead}</p>
        <div className="mt-8 grid gap-8">{children}</div>
      </article>
    </PublicPage>
  );
}

export function PolicySection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="policy">
      <h2 className="display text-xl">{title}</h2>
      {children}
    </section>
  );
}
