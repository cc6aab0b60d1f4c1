/** Title, description, address and preview of a page that may be found and shared. */
import type { MetaDescriptor } from "react-router";
import { BRAND } from "#app/catalogue.ts";

interface PageFacts {
  title: string;
  description: string;
  /** The page's one address. */
  url: string;
  publicUrl: string;
}

export function pageMeta({ title, description, url, publicUrl }: PageFacts): MetaDescriptor[] {
  return [
    { title },
    { name: "description", content: description },
    { tagName: "link", rel: "canonical", href: url },
    { property: "og:type", content: "website" },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
    { property: "og:url", content: url },
    { property: "og:image", content: `${publicUrl}/preview.png` },
    { property: "og:image:alt", content: `${BRAND.name}. ${BRAND.tagline}` },
    { property: "og:site_name", content: BRAND.name },
    { property: "og:locale", content: "en_IN" },
    { name: "twitter:card", content: "summary_large_image" },
  ];
}

/** Of a page that is one person's, or of no use to others. */
export function privateMeta(title: string): MetaDescriptor[] {
  return [{ title: `${title} · ${BRAND.name}` }, { name: "robots", content: "noindex" }];
}
