/** The frame of every public page: skip link, brand and contact above, policies below. */
import type { ReactNode } from "react";
import { href } from "react-router";
import { BRAND } from "#app/catalogue.ts";
import { BrandMark } from "#app/components/brand-mark.tsx";
import { Icon } from "#app/components/icons.tsx";
import { telLink } from "#app/model/tel-link.ts";
import type { BusinessView } from "./business-view.server.ts";

interface PageLink {
  to: string;
  label: string;
}

interface PublicPageProps {
  business: BusinessView;
  /** Anchors within the page, for wide screens. */
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
          <a href={href("/")} className="flex min-h-11 items-center gap-2 rounded-sm sm:gap-3">
            <BrandMark className="size-8 sm:size-9" />
            <span className="flex flex-col leading-tight">
              <span className="display sm:text-lg">{BRAND.name}</span>
              <span className="hidden text-sm text-night-muted sm:block">{BRAND.tagline}</span>
            </span>
          </a>
          <nav aria-label="This page" className="ml-auto hidden gap-6 lg:flex">
            {anchors.map((anchor) => (
              <a key={anchor.to} href={anchor.to} className="py-2 text-night-ink hover:underline">
                {anchor.label}
              </a>
            ))}
          </nav>
          <a
            href={business.phone ? telLink(business.phone) : `mailto:${business.email}`}
            className="ml-auto flex min-h-11 items-center gap-2 whitespace-nowrap text-sm text-night-ink hover:underline sm:text-base lg:ml-6"
          >
            <Icon
              name={business.phone ? "call" : "mail"}
              className="hidden size-5 text-sky sm:block"
            />
            {business.phone ? (
              <span>
                <span className="sr-only">Call us: </span>
                {business.phone}
              </span>
            ) : (
              "Write to us"
            )}
          </a>
        </div>
      </header>
      <main id="main" tabIndex={-1} className="flex-1 outline-none">
        {children}
      </main>
      <PublicFooter business={business} />
    </div>
  );
}

function PublicFooter({ business }: { business: BusinessView }) {
  const contacts = [
    { to: `mailto:${business.email}`, label: business.email },
    ...(business.phone ? [{ to: telLink(business.phone), label: business.phone }] : []),
    { to: href("/find-booking"), label: "Find your booking" },
  ];
  const policies = [
    { to: href("/privacy"), label: "Privacy" },
    { to: href("/terms"), label: "Terms" },
    { to: href("/refunds"), label: "Cancellation and refunds" },
    { to: href("/contact"), label: "Contact" },
  ];
  return (
    <footer className="no-print mt-16 bg-night text-night-muted">
      <div className="mx-auto grid max-w-page gap-8 px-4 py-10 wrap-anywhere *:min-w-0 md:grid-cols-[2fr_1fr_1fr] md:px-6">
        <div>
          <p className="display flex items-center gap-3 text-lg text-night-ink">
            <BrandMark className="size-8" />
            {BRAND.name}
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
    </address>
  );
}
