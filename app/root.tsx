/** The document's shell, and the page for what no route caught. */
import {
  href,
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useMatches,
} from "react-router";
import type { Route } from "./+types/root";
import stylesheet from "./app.css?url";
import { BrandMark } from "./components/art/brand-mark.tsx";
import displayFont from "./components/fonts/b612-bold.woff2?url";
import { noteRoutePattern } from "./middleware/route-pattern.server.ts";

export const middleware: Route.MiddlewareFunction[] = [noteRoutePattern];

export const links: Route.LinksFunction = () => [
  { rel: "preload", href: displayFont, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
  { rel: "stylesheet", href: stylesheet },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
];

export function Layout({ children }: { children: React.ReactNode }) {
  const refreshSeconds = useRefreshSeconds();
  return (
    <html lang="en-IN">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" content="#121d3f" />
        <meta name="format-detection" content="telephone=no" />
        <Meta />
        <Links />
        {refreshSeconds !== null && (
          <noscript>
            <meta httpEquiv="refresh" content={String(refreshSeconds)} />
          </noscript>
        )}
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

/** A page that waits for something says in its loader data after how many seconds to look again. */
function useRefreshSeconds(): number | null {
  const matches = useMatches();
  for (const match of matches) {
    const seconds = (match.loaderData as { refreshSeconds?: unknown } | undefined)?.refreshSeconds;
    if (typeof seconds === "number") return seconds;
  }
  return null;
}

export default function App() {
  return <Outlet />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const notFound = isRouteErrorResponse(error) && error.status === 404;
  return (
    <main className="mx-auto flex min-h-dvh max-w-text flex-col items-start justify-center gap-4 px-4 py-16">
      <title>{notFound ? "Page Not Found" : "Something went wrong"}</title>
      <meta name="robots" content="noindex" />
      <BrandMark className="size-12" />
      <h1 className="display text-3xl">{notFound ? "Page Not Found" : "Something went wrong"}</h1>
      <p>{explain(error)}</p>
      <a className="button button-primary" href={href("/")}>
        Go to the booking page
      </a>
    </main>
  );
}

function explain(error: unknown): string {
  if (isRouteErrorResponse(error) && error.status === 404) {
    return "There is nothing at this address. If you followed a link from our mail, please open the newest one.";
  }
  if (isRouteErrorResponse(error) && error.status < 500) {
    return "We could not do what was asked. Please go back and try again.";
  }
  return "This is our mistake, not yours. Nothing was charged by this page. Please try again in a minute.";
}
