/** The brand as the page's loader gives it; on a page without one, that of a new database. */
import { useMatches } from "react-router";
import { BRAND } from "#app/catalogue.ts";
import { portraitSource } from "#app/model/catalogue.ts";
import type { Brand } from "#app/model/settings.ts";
import { BrandMark } from "./icons.tsx";

const START: Brand = { ...BRAND, logo: null };

interface Branded {
  brand?: Brand;
}

/** Where loaders put it: with the business of public pages, in the frame of the admin's. */
type Loaded = { business?: Branded; view?: { business?: Branded }; frame?: Branded } | undefined;

/** Of the matches of a page, which `meta` is given too. */
export function brandIn(matches: readonly ({ loaderData?: unknown } | undefined)[]): Brand {
  for (const match of matches) {
    const { business, view, frame } = (match?.loaderData as Loaded) ?? {};
    const brand = business?.brand ?? view?.business?.brand ?? frame?.brand;
    if (brand) return brand;
  }
  return START;
}

export function useBrand(): Brand {
  return brandIn(useMatches());
}

/** The owner's logo, or the mark of the software. */
export function BrandLogo({ size, className = "size-9" }: { size: number; className?: string }) {
  const { logo } = useBrand();
  if (logo === null) return <BrandMark className={className} />;
  return (
    <img
      {...portraitSource(logo)}
      sizes={`${size}px`}
      width={size}
      height={size}
      alt=""
      className={className}
    />
  );
}

/** The stylesheet of another accent than the one of the tokens; null: theirs. */
export function useAccentStyles(): string | null {
  const { accent } = useBrand();
  return accent === BRAND.accent ? null : `/brand/${accent.slice(1)}.css`;
}
