/** Around every admin page, signed in or not: style, frame, notices. Shows nothing that is private. */
import { data, Outlet } from "react-router";
import stylesheet from "#app/admin.css?url";
import { readSession } from "#app/auth/session.server.ts";
import { AdminPage } from "#app/components/admin/admin-page.tsx";
import { FlashNotice } from "#app/components/admin/notice.tsx";
import { ToastPlace } from "#app/components/admin/overlay.tsx";
import { depsContext } from "#app/lib/deps.server.ts";
import type { Route } from "./+types/frame";
import { clearFlash, readFlash } from "./flash.server.ts";

export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const deps = context.get(depsContext);
  const session = readSession(deps, request);
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
