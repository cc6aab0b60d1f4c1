/** What customers gave their sessions; the owner hides text and name of one for a reason, never by score. */
import { href } from "react-router";
import { searchSchema } from "#app/booking/list-fields.ts";
import { HIDDEN_REASONS, hiddenLabel } from "#app/model/after-session.ts";
import { adminInstant } from "#app/model/dates.ts";
import { OptionsField } from "#app/routes/admin/parts/fields.tsx";
import { type Shown, screen } from "#app/routes/admin/parts/form-page.server.ts";
import { PageForm, SubmitButton, useFormPage } from "#app/routes/admin/parts/form-page.tsx";
import { Paging } from "#app/routes/admin/parts/list-parts.tsx";
import { PageHead, Problem } from "#app/routes/admin/parts/page-parts.tsx";
import { readPage } from "#app/routes/admin/parts/views.server.ts";
import { hideFormSchema, showFormSchema } from "#app/sessions/fields.ts";
import { ratingJson, setHidden } from "#app/sessions/ratings.server.ts";
import { countRatings, listRatings, type Rating } from "#db/queries/ratings.server.ts";
import type { Route } from "./+types/ratings";

const REASONS = HIDDEN_REASONS.map((reason) => [reason, hiddenLabel(reason)] as const);

const ratings = screen({
  view: ({ deps: { db }, url }: Shown<Route.LoaderArgs, unknown>) => {
    const query = searchSchema.safeParse({ page: url.searchParams.get("page") ?? "" });
    const asked = (query.success && query.data.page) || 1;
    const { listed, page } = readPage(asked, ({ page, pageSize: limit }) => ({
      listed: listRatings(db, { limit, offset: (page - 1) * limit }),
      total: countRatings(db),
    }));
    return { ratings: listed.map(ratingView), page };
  },
});

function ratingView(rating: Rating) {
  const { name, at: _, ...shown } = ratingJson(rating);
  return {
    ...shown,
    when: adminInstant(rating.ratedAt!),
    by: name ?? "Name not shown",
    isShown: shown.text !== null && name !== null,
    reason: shown.hidden && hiddenLabel(shown.hidden),
  };
}

const { loader, action } = ratings.page({
  hide: ratings.form({
    fields: hideFormSchema,
    run: ({ rating, hidden }, { deps, actor }) => setHidden(deps, actor, rating, { hidden }),
    failed: "Not Hidden",
    done: ({ counselor }, { url }) => ({
      to: url.pathname + url.search,
      title: "Text Hidden",
      description: `The text and name of this rating no longer stand on ${counselor}'s page. Its stars count on.`,
    }),
  }),
  show: ratings.form({
    fields: showFormSchema,
    run: ({ rating }, { deps, actor }) => setHidden(deps, actor, rating, { hidden: null }),
    failed: "Not Shown",
    done: ({ counselor, shown }, { url }) => ({
      to: url.pathname + url.search,
      title: "Text No Longer Hidden",
      description:
        shown === 1
          ? `It stands on ${counselor}'s page again.`
          : "Its writer does not want it shown any more, so it stays off the page.",
    }),
  }),
});

export { action, loader };

export default function Ratings(props: Route.ComponentProps) {
  const page = useFormPage(props);
  const { ratings, page: shown } = page.view;
  return (
    <>
      <PageHead title="Ratings">
        A day after a completed session its customer is asked, once. Every rating counts, and none
        can be hidden for its stars. Text and first name stand on the captain's page where the
        writer agreed; you can hide those for one of three reasons, and the page says how many are
        hidden.
      </PageHead>
      <Problem refusal={page.refusal} />
      {ratings.length === 0 && (
        <p className="card p-8 text-center text-lg text-muted">
          No ratings yet. Mark sessions as completed, and their customers are asked a day later.
        </p>
      )}
      <ul className="grid gap-4 lg:grid-cols-2 lg:items-start">
        {ratings.map((rating) => (
          <RatingCard
            key={rating.id}
            rating={rating}
            reply={page.typed.rating === rating.id ? page.replyTo() : null}
          />
        ))}
      </ul>
      <Paging page={shown} path={href("/admin/ratings")} search="" label="Pages of ratings" />
    </>
  );
}

type RatingView = Route.ComponentProps["loaderData"]["view"]["ratings"][number];
type CardProps = {
  rating: RatingView;
  reply: ReturnType<ReturnType<typeof useFormPage>["replyTo"]>;
};

function RatingCard({ rating, reply }: CardProps) {
  return (
    <li className="card grid gap-2 p-4">
      <p className="flex flex-wrap justify-between gap-x-4">
        <strong>{`${rating.stars} of 5 for ${rating.counselor}`}</strong>
        <span className="text-sm text-muted">{rating.when}</span>
      </p>
      {rating.text === null ? (
        <p className="text-muted">Without a text</p>
      ) : (
        <p className="whitespace-pre-wrap wrap-anywhere">{rating.text}</p>
      )}
      <p className="text-sm text-muted">{stateWords(rating)}</p>
      {(rating.isShown || rating.reason) && <HidingForm rating={rating} reply={reply} />}
    </li>
  );
}

function stateWords({ reason, isShown, text, by }: RatingView): string {
  if (reason) return `Hidden: ${reason}. The stars count.`;
  if (isShown) return `${by}. On the captain's page.`;
  return text === null
    ? "The stars count."
    : "Its writer did not agree to show it. The stars count.";
}

function HidingForm({ rating, reply }: CardProps) {
  const about = `the rating of ${rating.when}`;
  return (
    <PageForm
      id={`rating-${rating.id}`}
      reply={reply}
      sends={{ rating: rating.id }}
      className="flex flex-wrap items-end gap-3 border-t border-line pt-3"
    >
      {rating.reason ? (
        <SubmitButton intent="show" look="quiet" aria-label={`Show again, ${about}`}>
          Show again
        </SubmitButton>
      ) : (
        <>
          <OptionsField
            name="hidden"
            label="Reason to hide the text"
            options={[["", "Choose …"], ...REASONS]}
          />
          <SubmitButton intent="hide" look="quiet" aria-label={`Hide the text, ${about}`}>
            Hide the text
          </SubmitButton>
        </>
      )}
    </PageForm>
  );
}
