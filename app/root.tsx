/** The HTML document around every page, and the page for errors that no route handles. */
import {
  href,
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
} from "react-router";
import { useShouldHydrate } from "remix-utils/use-should-hydrate";
import { useAccentStyles } from "#app/components/brand.tsx";
import displayFont from "#app/components/fonts/b612-bold.woff2?url";
import { BrandMark } from "#app/components/icons.tsx";
import { noteRoutePattern } from "#app/http/request-log.server.ts";
import { UNAVAILABLE } from "#app/model/outcome.ts";
import type { Route } from "./+types/root";
import stylesheet from "./app.css?url";

export const middleware: Route.MiddlewareFunction[] = [noteRoutePattern];

export const links: Route.LinksFunction = () => [
  { rel: "preload", href: displayFont, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
  { rel: "stylesheet", href: stylesheet },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
];

export function Layout({ children }: { children: React.ReactNode }) {
  const accent = useAccentStyles();
  // Only pages with `handle = { hydrate: true }` get scripts.
  const hydrates = useShouldHydrate();
  return (
    <html lang="en-IN">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" content="#121d3f" />
        <meta name="format-detection" content="telephone=no" />
        <Meta />
        <Links />
        {accent !== null && <link rel="stylesheet" href={accent} />}
      </head>
      <body>
        {children}
        {hydrates && (
          <>
            <ScrollRestoration />
            <Scripts />
          </>
        )}
      </body>
    </html>
  );
}

export default function App() {
  return <Outlet />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const { pathname, search } = useLocation();
  const { title, text, refused } = explain(error);
  const isAdmin = /^\/admin(\/|$)/.test(pathname);
  const isGone = title === NOT_FOUND || title === NOT_ALLOWED;
  return (
    <main className="mx-auto flex min-h-dvh max-w-text flex-col items-start justify-center gap-4 px-4 py-16">
      <title>{title}</title>
      <meta name="robots" content="noindex" />
      <BrandMark className="size-12" />
      <h1 className="display text-3xl">{title}</h1>
      <p>{text}</p>
      {!refused && (
        <p>
          If you had just sent something, it may still have arrived.{" "}
          {isAdmin
            ? "Go back in your browser: what you typed is still there, and what has arrived is not done twice."
            : "Please load this page again and look before you send it a second time."}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        {!isGone && (
          <a className="button button-primary" href={pathname + search}>
            Load this page again
          </a>
        )}
        <a
          className={`button ${isGone ? "button-primary" : "button-quiet"}`}
          href={isAdmin ? href("/admin") : href("/")}
        >
          {isAdmin ? "Go to the start page" : "Go to the booking page"}
        </a>
      </div>
    </main>
  );
}

const NOT_FOUND = "Page Not Found";
const NOT_ALLOWED = "Not Allowed";
const WRONG = "Something went wrong";

/** `refused`: certainly nothing was done. */
function explain(error: unknown) {
  if (isRouteErrorResponse(error) && error.status === 404) {
    const text =
      "There is no page at this address. If you followed a link in one of our emails, please use the newest email.";
    return { title: NOT_FOUND, text, refused: true };
  }
  if (isRouteErrorResponse(error) && error.status < 500) {
    const title = error.status === 403 ? NOT_ALLOWED : WRONG;
    const text = serverText(error.data) ?? "We could not do that. Please go back and try again.";
    return { title, text, refused: true };
  }
  if (isRouteErrorResponse(error) && serverText(error.data)?.trim() === UNAVAILABLE.message) {
    return { title: WRONG, text: UNAVAILABLE.message, refused: true };
  }
  // A failed request is a TypeError in every browser; so are some bugs.
  const text =
    error instanceof TypeError
      ? "We could not reach our server, or something failed on this page. Please check your connection and try again."
      : "This is our mistake, not yours. Please try again in a moment.";
  return { title: WRONG, text, refused: false };
}

/** The plain text from the app's server; null for a proxy's page or an error of the framework. */
function serverText(body: unknown): string | null {
  return typeof body === "string" && body.trim() !== "" && !/^Error:|</.test(body) ? body : null;
}
