import { href } from "react-router";
import { depsContext } from "#app/core/deps.server.ts";
import type { Route } from "./+types/sitemap";

export function loader({ context }: Route.LoaderArgs): Response {
  const { publicUrl } = context.get(depsContext).env;
  const pages = [href("/"), href("/privacy"), href("/terms"), href("/refunds"), href("/contact")];
  const urls = pages.map((page) => `  <url><loc>${publicUrl}${page}</loc></url>`);
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join("\n")}
</urlset>
`;
  return new Response(xml, { headers: { "Content-Type": "application/xml; charset=utf-8" } });
}
