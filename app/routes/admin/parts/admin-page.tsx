/** The frame of every admin page: brand, menu, quick find, account, sign-out. */
import { type ReactNode, useEffect, useRef } from "react";
import { Form, href, NavLink, useLocation, useNavigate } from "react-router";
import { BrandLogo } from "#app/components/brand.tsx";
import { showFailure } from "#app/components/toasts.tsx";
import type { Subject } from "#app/model/roles.ts";
import type { Route } from "./+types/frame";
import { boardOf, isDialog } from "./list-search.ts";
import { forgetSession, storedToken } from "./login-card.tsx";
import { Account, AdminIcon, May } from "./page-parts.tsx";
import { NO_ANSWER } from "./submission.ts";

type FrameView = Route.ComponentProps["loaderData"]["frame"];

const MENU = [
  { to: href("/admin"), label: "Dashboard", subject: "bookings" },
  { to: href("/admin"), label: "Sessions", subject: "ownSessions" },
  { to: href("/admin/calendar"), label: "Calendar", subject: "sessions" },
  { to: href("/admin/schedule"), label: "Schedule", subject: "times" },
  { to: href("/admin/customers"), label: "Customers", subject: "customers" },
  { to: href("/admin/unmatched"), label: "Unmatched payments", subject: "refunds" },
  { to: href("/admin/documents"), label: "Documents", subject: "business" },
  { to: href("/admin/insights"), label: "Insights", subject: "business" },
  { to: href("/admin/ratings"), label: "Ratings", subject: "ratings" },
  { to: href("/admin/catalogue"), label: "Catalogue", subject: "catalogue" },
  { to: href("/admin/settings"), label: "Settings", subject: "settings" },
  { to: href("/admin/activity"), label: "Activity", subject: "team" },
  { to: href("/admin/team"), label: "Team", subject: "team" },
  { to: href("/admin/account"), label: "Account", subject: "account" },
] as const satisfies { to: string; label: string; subject: Subject }[];

export function AdminPage({ frame, children }: { frame: FrameView; children: ReactNode }) {
  return (
    <>
      <a
        href="#main"
        className="sr-only z-50 bg-surface px-4 py-3 font-semibold text-action focus:not-sr-only focus:fixed focus:left-2 focus:top-2"
      >
        Skip to the content
      </a>
      <header className="no-print bg-night text-night-ink">
        <div className="mx-auto flex max-w-[90rem] flex-wrap items-center gap-x-6 gap-y-1 px-4 py-2 md:px-6">
          <Brand {...frame} />
          {frame.username ? <SignedIn may={frame.may} /> : <SignedOut />}
        </div>
      </header>
      {frame.sampleDocuments && frame.may.includes("business") && (
        <p className="border-b border-line bg-waiting-soft px-4 py-2 text-center text-sm text-waiting-ink">
          <strong>Sample documents:</strong> no registered supplier is configured, so every invoice
          is headed SAMPLE and has a series of its own.
        </p>
      )}
      <main
        id="main"
        tabIndex={-1}
        className="mx-auto max-w-[90rem] px-4 pb-16 pt-5 outline-none md:px-6"
      >
        <Account value={frame.username ?? undefined}>
          <May value={frame.may}>{children}</May>
        </Account>
      </main>
    </>
  );
}

function Brand({ username, brand }: Pick<FrameView, "username" | "brand">) {
  return (
    <div className="flex min-h-12 items-center gap-3">
      <BrandLogo size={36} />
      <div className="min-w-0 leading-tight">
        <p className="display text-lg">{brand.name}</p>
        {username ? (
          <p className="max-w-48 truncate text-sm text-night-muted">
            Welcome, <strong className="text-night-ink">{username}</strong>
          </p>
        ) : (
          <p className="text-sm text-night-muted">{brand.tagline}</p>
        )}
      </div>
    </div>
  );
}

function SignedOut() {
  return (
    <div className="ml-auto flex flex-wrap items-center gap-x-5 gap-y-1">
      <p className="font-semibold text-night-muted">Admin Dashboard</p>
      <a href={href("/")} className="button button-small bg-night-raised text-night-ink">
        Book Session
      </a>
    </div>
  );
}

/** Number of links in a phone's menu bar; the others are under More. */
const IN_BAR = 4;

interface MenuLinkProps {
  entry: (typeof MENU)[number];
  /** The path of the page behind an open dialog. */
  behind: string | null;
}

function MenuLink({ entry, behind }: MenuLinkProps) {
  return (
    <NavLink
      to={entry.to}
      end={entry.to === href("/admin")}
      className={({ isActive }) =>
        `flex min-h-11 items-center border-b-2 text-sm md:px-2 2xl:text-base ${
          isActive || entry.to === behind
            ? "border-sky font-semibold text-night-ink"
            : "border-transparent text-night-muted hover:text-night-ink"
        }`
      }
    >
      {entry.label}
    </NavLink>
  );
}

function SignedIn({ may }: Pick<FrameView, "may">) {
  const location = useLocation();
  const { pathname } = location;
  const onBoard = isDialog(location) || pathname.startsWith(href("/admin/sessions"));
  const entries = MENU.filter(({ subject }) => may.includes(subject));
  const more = useRef<HTMLDetailsElement>(null);
  // The menu closes once the next page is shown.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each navigation has its own key.
  useEffect(() => {
    if (more.current) more.current.open = false;
  }, [location.key]);
  const behind = onBoard ? boardOf(location).replace(/\?.*/, "") : null;
  return (
    <>
      <nav aria-label="Admin" className="order-last w-full">
        <ul className="flex flex-wrap max-md:-mx-2 max-md:justify-between max-md:tracking-tight md:gap-x-1">
          {entries.map((entry, i) => (
            <li key={entry.to} className={i < IN_BAR ? undefined : "max-md:hidden"}>
              <MenuLink entry={entry} behind={behind} />
            </li>
          ))}
          {entries.length > IN_BAR && (
            <li className="md:hidden">
              <details ref={more} className="relative">
                <summary className="flex min-h-11 cursor-pointer list-none items-center text-sm text-night-muted">
                  More
                </summary>
                <ul className="absolute right-0 z-10 min-w-48 rounded-sm border border-night-line bg-night px-2 py-1">
                  {entries.slice(IN_BAR).map((entry) => (
                    <li key={entry.to}>
                      <MenuLink entry={entry} behind={behind} />
                    </li>
                  ))}
                </ul>
              </details>
            </li>
          )}
        </ul>
      </nav>
      {may.includes("bookings") && <QuickFind />}
      <div className="ml-auto">
        <Logout />
      </div>
    </>
  );
}

/**
 * Submits the stored token, so that its session ends too if it is not the cookie's. If no response
 * comes, page and token stay.
 */
function Logout() {
  const navigate = useNavigate();
  const leave = async (event: React.FormEvent) => {
    event.preventDefault();
    const body = new URLSearchParams({ token: storedToken() ?? "" });
    try {
      const request = { method: "POST", body, redirect: "manual" } as const;
      const answer = await fetch(href("/admin/logout"), request);
      // A script can see that the response is a redirect, but not where it leads.
      if (answer.type !== "opaqueredirect") throw new Error(`Logout answered ${answer.status}`);
    } catch {
      showFailure("Logout Failed", NO_ANSWER);
      return;
    }
    forgetSession();
    await navigate(href("/admin"));
  };
  return (
    <form method="post" action={href("/admin/logout")} onSubmit={leave}>
      <button
        type="submit"
        className="button button-small border-edge bg-night-raised text-night-ink hover:underline"
      >
        <AdminIcon name="signOut" className="hidden size-4 sm:block" />
        Logout
      </button>
    </form>
  );
}

const KEY = "/";

function QuickFind() {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const { target, key, ctrlKey, metaKey, altKey } = event;
      if (key !== KEY || ctrlKey || metaKey || altKey || event.defaultPrevented) return;
      const isTyping =
        target instanceof Element && target.closest("input, textarea, select, [contenteditable]");
      // While a dialog is open, the field behind it must not take the focus.
      if (isTyping || document.querySelector("dialog:modal")) return;
      event.preventDefault();
      field.current?.select();
    };
    document.addEventListener("keydown", focus);
    return () => document.removeEventListener("keydown", focus);
  }, []);
  return (
    <Form
      method="post"
      action={href("/admin/find")}
      role="search"
      aria-label="Quick find"
      className="flex max-md:order-2 max-md:w-full md:max-w-96 md:flex-1"
    >
      <input
        ref={field}
        type="search"
        name="q"
        aria-label="Quick find"
        aria-keyshortcuts={KEY}
        title={`Name, phone, email, ID, document or payment. Press ${KEY} to come here.`}
        placeholder="Name, phone, ID, invoice …"
        autoComplete="off"
        required
        maxLength={100}
        className="min-h-11 w-full min-w-0 rounded-l-sm border border-edge bg-night-raised px-3 text-night-ink outline-sky placeholder:text-night-muted"
      />
      <button
        type="submit"
        aria-label="Find"
        className="grid min-h-11 min-w-11 place-items-center rounded-r-sm border border-l-0 border-edge bg-night-raised text-night-ink outline-sky"
      >
        <AdminIcon name="search" className="size-5" />
      </button>
    </Form>
  );
}
