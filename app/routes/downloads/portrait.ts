/** A captain's portrait in one width. Its id is made of its bytes, so it never changes. */
import { depsContext } from "#app/core/deps.server.ts";
import { findPortrait } from "#db/queries/portraits.server.ts";
import type { Route } from "./+types/portrait";

export function loader({ params, context }: Route.LoaderArgs) {
  const { db } = context.get(depsContext);
  const bytes = findPortrait(db, params.id, Number(params.width));
  if (!bytes) return new Response("There is no such portrait.\n", { status: 404 });
  return new Response(new Uint8Array(bytes), {
    headers: {
      "Content-Type": "image/webp",
      "Cache-Control": "public, max-age=31536000, immutable",
    },
  });
}
