/**
 * `/admin` and `/admin/calendar`: the sign-in card, or the board (dashboard, a captain's own day or
 * calendar), which stays mounted while dialogs open and close over it.
 */
import { useEffect, useState } from "react";
import {
  data,
  href,
  Link,
  redirect,
  useLocation,
  useNavigation,
  useNavigationType,
  useOutlet,
  useRevalidator,
} from "react-router";
import { pathAfterSignIn } from "#app/auth/require-admin.server.ts";
import { readSession, sessionCookieHeader } from "#app/auth/session.server.ts";
import { signInByForm } from "#app/auth/sign-in.server.ts";
import { showToast } from "#app/components/toasts.tsx";
import { deviceHeader } from "#app/core/cookies.server.ts";
import { clientContext, depsContext } from "#app/core/deps.server.ts";
import { retryHeaders } from "#app/http/json.server.ts";
import { STATUS_OF_CODE } from "#app/model/outcome.ts";
import { CalendarBoard } from "#app/routes/admin/calendar/calendar.tsx";
import { readCalendarView } from "#app/routes/admin/calendar/calendar-view.server.ts";
import { parseForm, serializeForm } from "#app/routes/admin/parts/form-data.ts";
import { goOn } from "#app/routes/admin/parts/forms.server.ts";
import { EmptyList, Paging } from "#app/routes/admin/parts/list-parts.tsx";
import {
  isDialog,
  isOverCalendar,
  LIST_HEADING_ID,
  listSearchOf,
  useSearchOf,
  withList,
} from "#app/routes/admin/parts/list-search.ts";
import {
  LoginCard,
  refusalOf,
  type SignInRefusal,
  signInByCalls,
  signInRefusal,
} from "#app/routes/admin/parts/login-card.tsx";
import { ListSearch, OverList } from "#app/routes/admin/parts/overlay.tsx";
import { revalidatesBehind, useReadBehind } from "#app/routes/admin/parts/submission.ts";
import type { Route } from "./+types/dashboard";
import { AppointmentsTable } from "./appointments-table.tsx";
import { Attention, Failures } from "./attention.tsx";
import { type DashboardData, readDashboard, readOwnDay } from "./dashboard-view.server.ts";
import { FilterBar } from "./filter-bar.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { ListHead, StatCards, USUAL_SORT } from "./list-head.tsx";
import { OwnDayView, SessionsBoard } from "./sessions-board.tsx";

const WELCOME = { title: "Login Successful", description: "Welcome to the admin dashboard!" };

function signedOut(unsent: string | undefined): SignInRefusal {
  const message =
    unsent === undefined
      ? "Your session has ended. What you typed is too long to be kept over the sign-in: go back to copy it."
      : "Your session has ended. What you typed is back in its form after the sign-in.";
  return { title: "Not Sent Yet", message, reply: {}, secondFactor: false, unsent };
}

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const deps = context.get(depsContext);
  const session = await readSession(deps, request);
  if (!session) {
    return { signedIn: false as const, next: pathAfterSignIn(url.searchParams.get("next")) };
  }
  const own = session.admin.counselorKey;
  const isCalendar = isOverCalendar(url);
  return {
    signedIn: true as const,
    calendar: isCalendar ? readCalendarView(deps, listSearchOf(url), own) : null,
    ownDay: isCalendar || own === null ? null : readOwnDay(deps, own),
    list: isCalendar || own !== null ? null : readDashboard(deps, url, session.admin),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const sent = await request.clone().formData();
  // A form of another page, redirected here because its session had ended.
  if (sent.has("account")) return data(signedOut(serializeForm(sent)), 401);
  const { form, outcome } = await signInByForm(deps, request, context.get(clientContext));
  const { username = "", totp, next, unsent } = form;
  if (outcome.ok) {
    const { token, device, admin } = outcome.value;
    const isBack = parseForm(unsent)?.get("account") === admin.username;
    const cookies = [
      ["Set-Cookie", await sessionCookieHeader(deps.env, token)],
      ["Set-Cookie", await deviceHeader(deps.env, device)],
    ] as const;
    const path = pathAfterSignIn(next);
    return isBack ? goOn(deps, path, null, cookies, 307) : goOn(deps, path, WELCOME, cookies);
  }
  const refusal = { ...refusalOf(outcome, username, totp !== undefined), unsent };
  return data(refusal, { status: STATUS_OF_CODE[outcome.code], headers: retryHeaders(outcome) });
}

/** With scripts, signs in through the API: the browser also stores the token. */
export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = Object.fromEntries(await request.formData()) as Record<string, string>;
  try {
    await signInByCalls(form);
  } catch (error) {
    return signInRefusal(error, form.username, form.totp !== undefined);
  }
  showToast({ ...WELCOME, variant: "default" });
  return redirect(form.next ?? href("/admin"));
}

export const shouldRevalidate = revalidatesBehind;

export default function Dashboard({ loaderData, actionData, matches }: Route.ComponentProps) {
  const outlet = useOutlet();
  const dialog = isDialog(useLocation()) ? outlet : null;
  // Dialogs open over the board once it has been shown; one opened directly is a page.
  const [boardShown, setBoardShown] = useState(dialog === null);
  if (dialog === null && !boardShown) setBoardShown(true);
  const navigation = useNavigation();
  useReadBehind(loaderData);
  const { revalidate } = useRevalidator();
  // The frame reloads more often than the board, which may be left from a session that has ended.
  const ended = loaderData.signedIn && matches[1].loaderData.frame.username === null;
  useEffect(() => {
    if (ended) void revalidate();
  }, [ended, revalidate]);
  if (!loaderData.signedIn || ended) {
    const next = loaderData.signedIn ? href("/admin") : loaderData.next;
    return <LoginCard refusal={actionData ?? null} next={next} />;
  }
  if (dialog !== null && !boardShown) return dialog;
  const { calendar, ownDay, list } = loaderData;
  const path = href(calendar ? "/admin/calendar" : "/admin");
  const loading =
    dialog === null && navigation.state === "loading" && navigation.location.pathname === path;
  return (
    <>
      {dialog === null && <title>{titleOf(loaderData)}</title>}
      {calendar && <CalendarBoard view={calendar} loading={loading} />}
      {ownDay && <OwnDayView day={ownDay} />}
      {list && <DashboardView view={list} loading={loading} />}
      <OverList value={true}>{dialog}</OverList>
    </>
  );
}

function titleOf({ calendar, ownDay }: Pick<SignedIn, "calendar" | "ownDay">): string {
  if (calendar) return `Calendar, ${calendar.title} – Admin`;
  return ownDay ? "Sessions – Admin" : "Admin Dashboard";
}

type SignedIn = Extract<Route.ComponentProps["loaderData"], { signedIn: true }>;

function DashboardView({ view, loading }: { view: DashboardData; loading: boolean }) {
  // From the address being loaded, so that no link leads back to the list before a new filter.
  const listSearch = useSearchOf(href("/admin"), view.listSearch);
  useFocusOnList();
  return (
    <ListSearch value={listSearch}>
      <h1 className="sr-only">Admin Dashboard</h1>
      <Link
        to={withList(href("/admin/appointments/new"), listSearch)}
        className="button button-primary mb-3 w-full md:hidden"
      >
        Book for a customer
      </Link>
      <Attention {...view.attention} />
      {view.failures && <Failures {...view.failures} />}
      <SessionsBoard captains={view.board} now={view.now} />
      {view.firstSteps && <FirstSteps steps={view.firstSteps} />}
      <StatCards stats={view.stats} />
      <FilterBar
        filters={view.filters}
        counselors={view.counselors}
        shown={view.listSearch}
        busy={loading}
      />
      {view.ignored.length > 0 && (
        <div role="status" className="mb-4 rounded-lg border border-edge bg-waiting-soft px-4 py-3">
          <p className="font-semibold">Some filters were ignored</p>
          <ul className="list-disc pl-5">
            {view.ignored.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
      )}
      <section aria-labelledby={LIST_HEADING_ID} className="card">
        <ListHead view={view} loading={loading} />
        {view.rows.length === 0 ? (
          <div className={loading ? "sr-only" : undefined}>
            <EmptyList title="No appointments found">
              {view.listSearch ? (
                "The filters leave none: please clear them or ask for more."
              ) : (
                <>
                  Bookings from your page stand here, and those that you make:{" "}
                  <Link to={href("/admin/appointments/new")} className="link">
                    book for a customer
                  </Link>
                  .
                </>
              )}
            </EmptyList>
          </div>
        ) : (
          <div className={loading ? "board-loading" : undefined} aria-busy={loading || undefined}>
            <AppointmentsTable rows={view.rows} sort={view.filters.sort || USUAL_SORT} />
            <Paging
              page={view.page}
              path={href("/admin")}
              search={view.listSearch}
              label="Pages of appointments"
              top={LIST_HEADING_ID}
            />
          </div>
        )}
      </section>
    </ListSearch>
  );
}

/** Moves the focus to the heading of the list after following a link to it. */
function useFocusOnList(): void {
  const { key, hash } = useLocation();
  const type = useNavigationType();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` changes with each navigation.
  useEffect(() => {
    if (type === "POP" || hash !== `#${LIST_HEADING_ID}`) return;
    document.getElementById(LIST_HEADING_ID)?.focus({ preventScroll: true });
  }, [key, hash, type]);
}
