/** robots.txt, sitemap.xml and security.txt (RFC 9116). */
import { href } from "react-router";
import { readBookable } from "#app/catalogue/read.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Env } from "#app/core/env.server.ts";
import { calls } from "#app/http/json.server.ts";
import { DAY } from "#app/model/dates.ts";
import { INFO_TITLES } from "#app/routes/public/parts/public-page.tsx";

/** RFC 9116 recommends an expiry of less than a year ahead. */
const VALID_DAYS = 180;

const route = calls({
  "robots.txt": { GET: ({ deps }) => textFile("text/plain", robots(deps.env)) },
  "sitemap.xml": { GET: ({ deps }) => textFile("application/xml", sitemap(deps)) },
  ".well-known/security.txt": {
    GET: ({ deps }) => textFile("text/plain", security(deps.env, deps.now())),
  },
});

export { route as action, route as loader };

function textFile(type: string, lines: string[]): Response {
  return new Response(`${lines.join("\n")}\n`, {
    headers: { "Content-Type": `${type}; charset=utf-8` },
  });
}

function robots({ publicUrl }: Env): string[] {
  return [
    "User-agent: *",
    "Disallow: /admin",
    "Disallow: /api/",
    "Disallow: /booking/",
    "Disallow: /calendar/",
    "Disallow: /guardian/",
    "Disallow: /payments/",
    "Disallow: /rating/",
    `Sitemap: ${publicUrl}/sitemap.xml`,
  ];
}

function sitemap(deps: Deps): string[] {
  const { publicUrl } = deps.env;
  const captains = readBookable(deps).counselors.map(({ key }) => href("/captains/:key", { key }));
  const pages = [href("/"), ...captains, ...Object.keys(INFO_TITLES)];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...pages.map((page) => `  <url><loc>${publicUrl}${page}</loc></url>`),
    "</urlset>",
  ];
}

function security({ business, publicUrl }: Env, now: number): string[] {
  const end = new Date(now + VALID_DAYS * DAY).toISOString().slice(0, 10);
  return [
    `Contact: mailto:${business.email}`,
    `Expires: ${end}T00:00:00Z`,
    "Preferred-Languages: en, hi",
    `Canonical: ${publicUrl}/.well-known/security.txt`,
  ];
}
