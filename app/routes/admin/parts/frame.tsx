/** Around every admin page, signed in or not: style, frame, notices. Shows no private data. */
import { useEffect, useRef } from "react";
import {
  data,
  Outlet,
  type ShouldRevalidateFunctionArgs,
  useNavigation,
  useRevalidator,
} from "react-router";
import { readSession } from "#app/auth/session.server.ts";
import { depsContext } from "#app/core/deps.server.ts";
import { mayDo, SUBJECTS } from "#app/model/roles.ts";
import type { Route } from "./+types/frame";
import stylesheet from "./admin.css?url";
import { AdminPage } from "./admin-page.tsx";
import { flashCookie } from "./forms.server.ts";
import { isDialog, LIST_HEADING_ID } from "./list-search.ts";
import { ToastPlace } from "./overlay.tsx";
import { FlashNotice } from "./page-parts.tsx";
import { SignInAgain } from "./sign-in-again.tsx";
import { keepPage, revalidatesBehind, useShownPage } from "./submission.ts";

export const handle = { hydrate: true };

export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const deps = context.get(depsContext);
  const session = await readSession(deps, request);
  const flash = await flashCookie.read(deps.env, request.headers.get("cookie"));
  const frame = {
    brand: deps.env.brand,
    username: session?.admin.username ?? null,
    may: SUBJECTS.filter((subject) => session && mayDo(session.admin.role, subject)),
    /** The business is not registered. */
    sampleDocuments: deps.env.sampleDocuments,
  };
  return data(
    { frame, flash },
    flash ? { headers: { "Set-Cookie": await flashCookie.header(deps.env, null) } } : undefined,
  );
}

/** Around every request of the pages within. */
export const clientMiddleware = [keepPage];

/** Opening a dialog reloads nothing; closing one checks that the session is still live. */
export function shouldRevalidate(asked: ShouldRevalidateFunctionArgs) {
  const { currentUrl, nextUrl, formMethod, defaultShouldRevalidate } = asked;
  const closes = isDialog(currentUrl) && !isDialog(nextUrl) && formMethod === undefined;
  return closes ? defaultShouldRevalidate && navigator.onLine : revalidatesBehind(asked);
}

export default function Frame({ loaderData }: Route.ComponentProps) {
  useShownPage();
  useRestoredFocus();
  return (
    <ToastPlace>
      <meta name="robots" content="noindex" />
      <AdminPage frame={loaderData.frame}>
        <FlashNotice flash={loaderData.flash} />
        <Outlet />
      </AdminPage>
      <SignInAgain username={loaderData.frame.username} />
    </ToastPlace>
  );
}

/**
 * After a submission or navigation, returns the focus to the element that had it, although it was
 * disabled meanwhile or its row moved. If it is gone, the nearest element gets the focus: in a list
 * the row in its place, or the list's heading.
 */
function useRestoredFocus(): void {
  const { state } = useNavigation();
  const { state: readAnew } = useRevalidator();
  const last = useRef<HTMLElement | null>(null);
  const around = useRef<Element | null>(null);
  const row = useRef<Place | null>(null);
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      last.current = target as HTMLElement;
      around.current = last.current.closest("nav, dialog");
      row.current = placeOf(last.current);
    };
    document.addEventListener("focusin", note);
    return () => document.removeEventListener("focusin", note);
  }, []);
  useEffect(() => {
    if (state !== "idle" || readAnew !== "idle" || !last.current) return;
    // The browser takes the focus from a disabled or removed element with the next frame.
    const frame = requestAnimationFrame(() => {
      const dialog = document.querySelector("dialog[open]");
      const nearest = [
        last.current,
        ...(row.current ? nearestTo(row.current) : []),
        around.current?.isConnected ? around.current.querySelector<HTMLElement>("a, h2") : null,
        dialog?.querySelector("h2"),
        document.getElementById(LIST_HEADING_ID),
        document.getElementById("main"),
      ];
      for (const element of nearest) {
        if (document.activeElement !== document.body) return;
        element?.focus({ preventScroll: true });
      }
    });
    return () => cancelAnimationFrame(frame);
  }, [state, readAnew]);
}

type Place = NonNullable<ReturnType<typeof placeOf>>;

/** The list row that contains the element. */
function placeOf(element: Element) {
  const row = element.closest("main li");
  const list = row?.parentElement;
  if (!list) return null;
  const heading = list.parentElement?.querySelector<HTMLElement>("h2, h3") ?? null;
  return { list, index: [...list.children].indexOf(row), heading };
}

function nearestTo({ list, index, heading }: Place): (HTMLElement | null)[] {
  if (heading) heading.tabIndex = -1;
  const row = list.isConnected ? list.children[index] : null;
  return [row?.querySelector<HTMLElement>("button") ?? null, heading];
}
