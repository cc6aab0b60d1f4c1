/** The page for paths without a route. */
import { data, href } from "react-router";
import { depsContext } from "#app/core/deps.server.ts";
import { businessView, PublicPage } from "#app/routes/public/parts/public-page.tsx";
import type { Route } from "./+types/not-found";

export function loader({ context }: Route.LoaderArgs | Route.ActionArgs) {
  return data({ business: businessView(context.get(depsContext).env) }, 404);
}

/** A form posted to such a path gets the same answer. */
export const action = loader;

export const meta: Route.MetaFunction = () => [
  { title: "Page Not Found" },
  { name: "robots", content: "noindex" },
];

export default function NotFound({ loaderData }: Route.ComponentProps) {
  return (
    <PublicPage business={loaderData.business}>
      <div className="mx-auto max-w-text px-4 py-20 md:px-6">
        <h1 className="display text-3xl">Page Not Found</h1>
        <p className="mt-3 text-muted">
          There is no page at this address. If you followed a link in one of our emails, please use
          the newest email.
        </p>
        <a className="button button-primary mt-6" href={href("/")}>
          Go to the booking page
        </a>
      </div>
    </PublicPage>
  );
}
