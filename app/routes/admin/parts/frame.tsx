/** Around every admin page, signed in or not: style, frame, notices. Shows nothing that is private. */
import { data, Outlet, type ShouldRevalidateFunctionArgs } from "react-router";
import { readSession } from "#app/auth/session.server.ts";
import { depsContext } from "#app/core/deps.server.ts";
import type { Route } from "./+types/frame";
import stylesheet from "./admin.css?url";
import { AdminPage } from "./admin-page.tsx";
import { clearFlash, readFlash } from "./flash.server.ts";
import { isDialog } from "./list-search.ts";
import { FlashNotice } from "./notice.tsx";
import { ToastPlace } from "./overlay.tsx";

export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const deps = context.get(depsContext);
  const session = await readSession(deps, request);
  const flash = await readFlash(deps, request);
  const frame = {
    username: session?.admin.username ?? null,
    sampleDocuments: deps.env.sampleDocuments,
  };
  return data(
    { frame, flash },
    flash ? { headers: { "Set-Cookie": await clearFlash(deps) } } : undefined,
  );
}

/** Without a connection a dialog opens and closes over the page that is there. */
export function shouldRevalidate({
  currentUrl,
  nextUrl,
  formMethod,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
  const writes = formMethod !== undefined && formMethod !== "GET";
  const closes = isDialog(currentUrl) && !navigator.onLine;
  const again = currentUrl.href === nextUrl.href;
  const stays = !writes && !again && (isDialog(nextUrl) || closes);
  return stays ? false : defaultShouldRevalidate;
}

export default function Frame({ loaderData }: Route.ComponentProps) {
  return (
    <ToastPlace>
      <meta name="robots" content="noindex" />
      <AdminPage frame={loaderData.frame}>
        <FlashNotice flash={loaderData.flash} />
        <Outlet />
      </AdminPage>
    </ToastPlace>
  );
}
