import { readCounselorFeed } from "#app/booking/counselor-feed.server.ts";
import { depsContext } from "#app/core/deps.server.ts";
import type { Route } from "./+types/counselor-feed";

/** Calendars ask every quarter of an hour at the most; a shared cache must not keep names. */
const CACHE = "private, max-age=300";

export function loader({ params, context }: Route.LoaderArgs): Response {
  const feed = readCounselorFeed(context.get(depsContext), params.secret ?? "");
  if (feed === null) throw new Response("Not Found", { status: 404 });
  return new Response(feed, {
    headers: {
      "Content-Type": "text/calendar; charset=utf-8; method=PUBLISH",
      "Cache-Control": CACHE,
    },
  });
}
