import { depsContext } from "#app/core/deps.server.ts";
import type { Route } from "./+types/robots";

export function loader({ context }: Route.LoaderArgs): Response {
  const { publicUrl } = context.get(depsContext).env;
  const lines = [
    "User-agent: *",
    "Disallow: /admin",
    "Disallow: /api/",
    "Disallow: /booking/",
    "Disallow: /calendar/",
    "Disallow: /payments/",
    `Sitemap: ${publicUrl}/sitemap.xml`,
  ];
  return new Response(`${lines.join("\n")}\n`, {
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}
