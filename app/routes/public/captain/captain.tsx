/** A captain's page: description, prices, next free times, ratings. */
import { href, type MetaDescriptor } from "react-router";
import { brandIn } from "#app/components/brand.tsx";
import { CaptainCard } from "#app/components/captain-card.tsx";
import { Icon } from "#app/components/icons.tsx";
import { depsContext } from "#app/core/deps.server.ts";
import { PublicPage, pageMeta, WriteOrCall } from "#app/routes/public/parts/public-page.tsx";
import type { Route } from "./+types/captain";
import { type CaptainView, captainView, structuredData } from "./captain-view.server.ts";

export function loader({ context, params }: Route.LoaderArgs) {
  const view = captainView(context.get(depsContext), params.key);
  return { ...view, structured: structuredData(view) };
}

export function meta({ loaderData, matches }: Route.MetaArgs): MetaDescriptor[] {
  if (!loaderData) return [{ title: "Page Not Found" }, { name: "robots", content: "noindex" }];
  const brand = brandIn(matches);
  const { captain, key, publicUrl, structured } = loaderData;
  const title = `${captain.name}, ${captain.title} · ${brand.name}`;
  const path = href("/captains/:key", { key });
  return [
    ...pageMeta(publicUrl, path, title, captain.description || captain.title, brand),
    { "script:ld+json": structured },
  ];
}

export default function Captain({ loaderData: view }: Route.ComponentProps) {
  return (
    <PublicPage business={view.business}>
      <div className="mx-auto grid max-w-page items-start gap-8 px-4 py-10 md:px-6 lg:grid-cols-2">
        <CaptainCard counselor={view.captain} isPage />
        <div className="grid min-w-0 gap-8">
          <Sessions sessions={view.sessions} />
          <NextFree {...view} />
          <Ratings ratings={view.ratings} />
        </div>
      </div>
    </PublicPage>
  );
}

function Sessions({ sessions }: Pick<CaptainView, "sessions">) {
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions" className="display text-xl">
        Choose a session
      </h2>
      <ul className="mt-4 grid gap-3">
        {sessions.map((one) => (
          <li key={one.minutes}>
            <a
              href={one.to}
              className="card group flex flex-wrap items-start gap-4 p-4 shadow-low hover:border-action"
            >
              <span className="min-w-0 flex-1 basis-32 wrap-anywhere">
                <span className="block font-semibold group-hover:underline">
                  {`${one.minutes} minutes: ${one.label}`}
                </span>
                <span className="block text-muted">{one.description}</span>
              </span>
              <span className="figures ml-auto shrink-0 text-right">
                <span className="display block text-lg">{one.total}</span>
                <span className="block text-sm text-muted">with GST</span>
              </span>
              <Icon name="arrowRight" className="mt-1 size-5 text-action" />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function NextFree({ nextFree, business }: Pick<CaptainView, "nextFree" | "business">) {
  return (
    <section aria-labelledby="next-free">
      <h2 id="next-free" className="display text-xl">
        Next free times
      </h2>
      {nextFree.length === 0 ? (
        <p className="mt-2 text-muted">
          None at the moment. If you want a session, please <WriteOrCall business={business} />.
        </p>
      ) : (
        <>
          <p className="mt-2 text-muted">
            In Indian time (IST). You choose yours in the next step.
          </p>
          <ul className="figures mt-3 grid grid-cols-2 gap-x-6 gap-y-2 sm:grid-cols-3">
            {nextFree.map(({ day, time, minutes }) => (
              <li key={`${day} ${time}`}>
                <span className="display block">{time}</span>
                <span className="block text-sm text-muted">{day}</span>
                {minutes && (
                  <span className="block text-sm text-muted">up to {minutes} minutes</span>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** Texts of ratings that customers agreed to show, and the number of hidden ones. */
function Ratings({ ratings: { texts, hidden } }: Pick<CaptainView, "ratings">) {
  if (texts.length + hidden === 0) return null;
  return (
    <section aria-labelledby="ratings-title" className="grid max-w-text gap-4">
      <h2 id="ratings-title" className="display text-xl">
        What people say
      </h2>
      {texts.map(({ id, stars, text, name, day }) => (
        <blockquote key={id} className="card grid gap-1 p-5">
          <p className="font-semibold">{`${stars} of 5`}</p>
          <p className="whitespace-pre-wrap wrap-anywhere">{text}</p>
          <footer className="text-sm text-muted">{`${name}, ${day}`}</footer>
        </blockquote>
      ))}
      <p className="text-sm text-muted">
        Only people whose session took place are asked. Good and bad ratings count alike.
        {hidden > 0 &&
          ` ${hidden === 1 ? "The text of 1 rating is" : `The texts of ${hidden} ratings are`} hidden because of private data, abuse, or another subject; the stars count.`}
      </p>
    </section>
  );
}
