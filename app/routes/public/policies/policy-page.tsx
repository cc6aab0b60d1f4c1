/** The frame and the meta tags of a policy page. */
import type { ReactNode } from "react";
import type { MetaDescriptor } from "react-router";
import { brandIn } from "#app/components/brand.tsx";
import { INFO_TITLES, PublicPage, pageMeta } from "#app/routes/public/parts/public-page.tsx";
import type { policyFacts } from "./policy-facts.server.ts";

interface PolicyPageProps {
  facts: ReturnType<typeof policyFacts>;
  path: keyof typeof INFO_TITLES;
  lead: string;
  children: ReactNode;
}

export function PolicyPage({ facts, path, lead, children }: PolicyPageProps) {
  return (
    <PublicPage business={facts.business}>
      <article className="mx-auto max-w-text px-4 py-10 md:px-6 md:py-14">
        {facts.unchecked && (
          <p className="mb-6 rounded-sm bg-waiting-soft p-3 text-waiting-ink">
            This is a draft. The owner will check it before the site goes live.
          </p>
        )}
        <h1 className="display text-2xl md:text-3xl">{INFO_TITLES[path]}</h1>
        <p className="mt-3 text-lg text-muted">{lead}</p>
        <p className="mt-2 text-sm text-muted">Last updated {facts.updated}</p>
        <div className="mt-8 grid gap-8">{children}</div>
      </article>
    </PublicPage>
  );
}

interface PolicyMetaArgs {
  loaderData?: { publicUrl: string } | undefined;
  matches: Parameters<typeof brandIn>[0];
}

export function policyMeta(path: keyof typeof INFO_TITLES, description: string) {
  return ({ loaderData, matches }: PolicyMetaArgs): MetaDescriptor[] => {
    if (!loaderData) return [];
    const brand = brandIn(matches);
    const title = `${INFO_TITLES[path]} · ${brand.name}`;
    return pageMeta(loaderData.publicUrl, path, title, description, brand);
  };
}

export function PolicySection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="policy">
      <h2 className="display text-xl">{title}</h2>
      {children}
    </section>
  );
}
