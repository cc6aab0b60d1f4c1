/** Where a fault is reported to (RFC 9116). */
import { depsContext } from "#app/core/deps.server.ts";
import { DAY } from "#app/model/duration.ts";
import type { Route } from "./+types/security-txt";

/** The file must say an end of less than a year ahead. */
const VALID_DAYS = 180;

export function loader({ context }: Route.LoaderArgs): Response {
  const { env, now } = context.get(depsContext);
  const end = new Date(now() + VALID_DAYS * DAY).toISOString().slice(0, 10);
  const lines = [
    `Contact: mailto:${env.business.email}`,
    `Expires: ${end}T00:00:00Z`,
    "Preferred-Languages: en, hi",
    `Canonical: ${env.publicUrl}/.well-known/security.txt`,
  ];
  return new Response(`${lines.join("\n")}\n`, {
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}
