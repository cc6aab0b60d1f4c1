/** Around every admin page, signed in or not: style, frame, notices. Shows nothing that is private. */
import { data, Outlet, type ShouldRevalidateFunctionArgs } from "react-router";
import { readSession } from "#app/auth/session.server.ts";
import { depsContext } from "#app/core/deps.server.ts";
import { mayDo, SUBJECTS } from "#app/model/roles.ts";
import type { Route } from "./+types/frame";
import stylesheet from "./admin.css?url";
import { AdminPage } from "./admin-page.tsx";
import { clearFlash, readFlash } from "./flash.server.ts";
import { isDialog } from "./list-search.ts";
import { FlashNotice } from "./notice.tsx";
import { ToastPlace } from "./overlay.tsx";
import { keepPage, revalidatesBehind, useShownPage } from "./press.ts";
import { useKeptFocus } from "./use-kept-focus.ts";

export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const deps = context.get(depsContext);
  const session = await readSession(deps, request);
  const flash = await readFlash(deps, request);
  const frame = {
    username: session?.admin.username ?? null,
    may: SUBJECTS.filter((subject) => session && mayDo(session.admin.role, subject)),
    sampleDocuments: deps.env.sampleDocuments,
  };
  return data(
    { frame, flash },
    flash ? { headers: { "Set-Cookie": await clearFlash(deps) } } : undefined,
  );
}

/** Around every call that the pages within make. */
export const clientMiddleware = [keepPage];

/** Opening a dialog asks nothing; closing one asks whether the session still lives. */
export function shouldRevalidate(asked: ShouldRevalidateFunctionArgs) {
  const { currentUrl, nextUrl, formMethod, defaultShouldRevalidate } = asked;
  const closes = isDialog(currentUrl) && !isDialog(nextUrl) && formMethod === undefined;
  return closes ? defaultShouldRevalidate && navigator.onLine : revalidatesBehind(asked);
}

export default function Frame({ loaderData }: Route.ComponentProps) {
  useShownPage();
  useKeptFocus();
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
