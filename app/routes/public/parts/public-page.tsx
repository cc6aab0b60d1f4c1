/** The frame of every public page, its meta tags, and shared texts about the business. */
import type { ReactNode } from "react";
import { href, type MetaDescriptor } from "react-router";
import { BrandLogo, brandIn } from "#app/components/brand.tsx";
import { Icon } from "#app/components/icons.tsx";
import type { Env } from "#app/core/env.server.ts";
import type { Brand } from "#app/model/settings.ts";
import { telLink } from "#app/model/tel-link.ts";

/** The date of the last change of the policies, `yyyy-MM-dd`. */
export const POLICY_DATE = "2026-11-29";

/** Titles of the pages that only inform, by their paths, in the order of the footer. */
export const INFO_TITLES = {
  "/how-it-works": "How the session takes place",
  "/privacy": "Privacy",
  "/terms": "Terms",
  "/refunds": "Cancellation and refunds",
  "/contact": "Contact",
} as const;

export type BusinessView = ReturnType<typeof businessView>;

/** What public pages show of the business; no tax number while documents are samples without one. */
export function businessView({
  brand,
  business,
  sampleDocuments,
}: Pick<Env, "brand" | "business" | "sampleDocuments">) {
  const { name, address, email, phone, grievanceContact } = business;
  const { gstin, cin } = sampleDocuments ? { gstin: null, cin: null } : business;
  return { brand, name, address, gstin, cin, email, phone, grievanceContact };
}

interface PageLink {
  to: string;
  label: string;
}

interface PublicPageProps {
  business: BusinessView;
  /** Links within the page, shown on wide screens. */
  anchors?: readonly PageLink[];
  children: ReactNode;
}

export function PublicPage({ business, anchors = [], children }: PublicPageProps) {
  return (
    <div className="flex min-h-dvh flex-col print:block">
      <a
        href="#main"
        className="sr-only z-50 bg-surface px-4 py-3 font-semibold text-action focus:not-sr-only focus:fixed focus:left-2 focus:top-2"
      >
        Skip to the content
      </a>
      <header className="no-print bg-night text-night-ink">
        <div className="mx-auto flex max-w-page flex-wrap items-center gap-x-3 px-4 py-3 md:px-6">
          {/* Where there is no room its words stand one below the other. */}
          <a
            href={href("/")}
            className="flex min-h-11 max-w-max grow basis-[min-content] items-center gap-2 rounded-sm sm:gap-3"
          >
            <BrandLogo size={36} className="size-8 sm:size-9" />
            <span className="flex flex-col leading-tight">
              <span className="display sm:text-lg">{business.brand.name}</span>
              <span className="hidden text-sm text-night-muted sm:block">
                {business.brand.tagline}
              </span>
            </span>
          </a>
          {anchors.length > 0 && (
            <nav aria-label="This page" className="ml-auto hidden gap-6 lg:flex">
              {anchors.map((anchor) => (
                <a key={anchor.to} href={anchor.to} className="py-2 text-night-ink hover:underline">
                  {anchor.label}
                </a>
              ))}
            </nav>
          )}
          <a
            href={href("/find-booking")}
            className="ml-auto flex min-h-11 items-center text-sm text-night-ink hover:underline sm:text-base lg:[nav+&]:ml-6"
          >
            <span>
              Find <span className="sr-only sm:not-sr-only">your</span> booking
            </span>
          </a>
          <ContactLink {...business} />
        </div>
      </header>
      <main id="main" tabIndex={-1} className="flex-1 outline-none">
        {children}
      </main>
      <PublicFooter business={business} />
    </div>
  );
}

/** On a phone only its icon. */
function ContactLink({ phone, email }: Pick<BusinessView, "phone" | "email">) {
  return (
    <a
      href={phone ? telLink(phone) : `mailto:${email}`}
      className="flex min-h-11 min-w-11 items-center justify-center gap-2 whitespace-nowrap text-night-ink hover:underline sm:ml-3"
    >
      <Icon name={phone ? "call" : "mail"} className="size-5 text-sky" />
      <span className="sr-only sm:not-sr-only">
        {phone && <span className="sr-only">Call us: </span>}
        {phone || "Write to us"}
      </span>
    </a>
  );
}

function PublicFooter({ business }: { business: BusinessView }) {
  const contacts = [
    { to: `mailto:${business.email}`, label: business.email },
    ...(business.phone ? [{ to: telLink(business.phone), label: business.phone }] : []),
    { to: href("/find-booking"), label: "Find your booking" },
  ];
  const policies = Object.entries(INFO_TITLES).map(([to, label]) => ({ to, label }));
  return (
    <footer className="no-print mt-16 bg-night text-night-muted">
      <div className="mx-auto grid max-w-page gap-8 px-4 py-10 wrap-anywhere *:min-w-0 md:grid-cols-3 md:px-6 lg:grid-cols-[2fr_1fr_1fr]">
        <div>
          <p className="display flex items-center gap-3 text-lg text-night-ink">
            <BrandLogo size={32} className="size-8" />
            {business.brand.name}
          </p>
          <BusinessAddress business={business} className="mt-4 max-w-text" />
        </div>
        <div>
          <p className="font-semibold text-night-ink">Contact us</p>
          <FooterLinks links={contacts} />
          <p className="mt-3 font-semibold text-night-ink">Complaints</p>
          <p className="break-words py-1">{business.grievanceContact}</p>
          <p className="text-sm">
            We acknowledge them within 48 hours and settle them within a month.
          </p>
        </div>
        <nav aria-label="Policies">
          <p className="font-semibold text-night-ink">Policies</p>
          <FooterLinks links={policies} className="hover:text-night-ink" />
        </nav>
      </div>
    </footer>
  );
}

function FooterLinks({ links, className = "" }: { links: PageLink[]; className?: string }) {
  return (
    <ul className="mt-2">
      {links.map(({ to, label }) => (
        <li key={to}>
          <a className={`inline-block py-1 underline underline-offset-4 ${className}`} href={to}>
            {label}
          </a>
        </li>
      ))}
    </ul>
  );
}

interface BusinessAddressProps {
  business: BusinessView;
  className: string;
}

export function BusinessAddress({ business, className }: BusinessAddressProps) {
  return (
    <address className={`not-italic ${className}`}>
      {business.name}
      <br />
      {business.address}
      {business.gstin && (
        <>
          <br />
          GSTIN {business.gstin}
        </>
      )}
      {business.cin && (
        <>
          <br />
          CIN/LLPIN {business.cin}
        </>
      )}
    </address>
  );
}

/** `write to … or call …` within a sentence; without a phone number, only `write to …`. */
export function WriteOrCall({ business }: { business: BusinessView }) {
  return (
    <>
      write to{" "}
      <a className="link" href={`mailto:${business.email}`}>
        {business.email}
      </a>
      {business.phone && (
        <>
          {" "}
          or call{" "}
          <a className="link whitespace-nowrap" href={telLink(business.phone)}>
            {business.phone}
          </a>
        </>
      )}
    </>
  );
}

/** Title, description, address and preview of a page for search engines and sharing. */
export function pageMeta(
  publicUrl: string,
  path: string,
  title: string,
  description: string,
  brand: Brand,
): MetaDescriptor[] {
  const url = publicUrl + path;
  return [
    { title },
    { name: "description", content: description },
    { tagName: "link", rel: "canonical", href: url },
    { property: "og:type", content: "website" },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
    { property: "og:url", content: url },
    { property: "og:image", content: `${publicUrl}/preview.png` },
    { property: "og:image:alt", content: `${brand.name}. ${brand.tagline}` },
    { property: "og:site_name", content: brand.name },
    { property: "og:locale", content: "en_IN" },
    { name: "twitter:card", content: "summary_large_image" },
  ];
}

/** For a page about one person, or of no use to others. */
export function privateMeta(title: string) {
  return ({ matches }: { matches: Parameters<typeof brandIn>[0] }): MetaDescriptor[] => [
    { title: `${title} · ${brandIn(matches).name}` },
    { name: "robots", content: "noindex" },
  ];
}

/** A route's `headers`: passes on those of its action, for example cookies and Retry-After. */
export function passActionHeaders({ actionHeaders }: { actionHeaders: Headers }): Headers {
  return actionHeaders;
}
