/** The brand from the page's loaders; without one, that of a new database. */
import { useMatches } from "react-router";
import { BRAND } from "#app/catalogue.ts";
import { portraitSource } from "#app/model/catalogue.ts";
import type { Brand } from "#app/model/settings.ts";
import { BrandMark } from "./icons.tsx";

const START: Brand = { ...BRAND, logo: null };

interface Branded {
  brand?: Brand;
}

/** Where loaders put the brand: with the business on public pages, in the frame on admin pages. */
type Loaded = { business?: Branded; view?: { business?: Branded }; frame?: Branded } | undefined;

/** Takes a page's matches, which `meta` gets too. */
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

/** The owner's logo, else the software's mark. */
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

/** The path of the accent's stylesheet; null for the accent of the design tokens. */
export function useAccentStyles(): string | null {
  const { accent } = useBrand();
  return accent === BRAND.accent ? null : `/brand/${accent.slice(1)}.css`;
}
