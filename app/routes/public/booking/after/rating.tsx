/** Rates a session by the mailed link, which can also change and withdraw the rating. */
import { data, Form, href, redirect } from "react-router";
import { depsContext } from "#app/core/deps.server.ts";
import { found } from "#app/http/found.ts";
import { hiddenLabel } from "#app/model/after-session.ts";
import { dateInIndia, formatSession, timeInIndia } from "#app/model/dates.ts";
import { check } from "#app/model/fields.ts";
import { STATUS_OF_CODE } from "#app/model/outcome.ts";
import { DoneNotice } from "#app/routes/public/booking/notices.tsx";
import { FormProblem } from "#app/routes/public/parts/form-problem.tsx";
import { businessView, PublicPage, privateMeta } from "#app/routes/public/parts/public-page.tsx";
import { ratingSchema } from "#app/sessions/fields.ts";
import { rate, ratingAt, refuseStars } from "#app/sessions/ratings.server.ts";
import type { Route } from "./+types/rating";

export function loader({ params, url, context }: Route.LoaderArgs) {
  const deps = context.get(depsContext);
  const rating = found(ratingAt(deps, params.token));
  const { counselor, stars, text, shown, hidden, startsAt } = rating;
  return {
    counselor,
    stars,
    text,
    shown: shown === 1,
    session: startsAt && formatSession(dateInIndia(startsAt), timeInIndia(startsAt)),
    /** Why its text is not shown; null if it is, or if there is none. */
    hidden: text !== null && hidden ? hiddenLabel(hidden).toLowerCase() : null,
    /** Why it takes no stars any more; null if it does. */
    closed: refuseStars(rating)?.message ?? null,
    done: url.searchParams.get("done"),
    business: businessView(deps.env),
  };
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const form = Object.fromEntries(await request.formData());
  const withdrawn = form.intent === "withdraw";
  const input = check(ratingSchema, withdrawn ? { stars: 1 } : form);
  const done = input.ok
    ? rate(deps, params.token, {
        stars: withdrawn ? null : input.value.stars,
        text: input.value.text,
        shown: input.value.shown !== undefined,
      })
    : input;
  if (!done.ok) return data({ message: done.message, typed: form }, STATUS_OF_CODE[done.code]);
  const word = withdrawn ? "withdrawn" : "rated";
  return redirect(`${href("/rating/:token", { token: params.token })}?done=${word}`, 303);
}

export const meta = privateMeta("Rate your session");

const WORDS = ["Poor", "Fair", "Good", "Very good", "Excellent"];

export default function RateSession({ loaderData, actionData }: Route.ComponentProps) {
  const { counselor, session, stars, hidden, closed, done, business } = loaderData;
  const typed = actionData?.typed ?? {
    stars: String(stars),
    text: loaderData.text ?? "",
    ...(loaderData.shown && { shown: "yes" }),
  };
  return (
    <PublicPage business={business}>
      <div className="mx-auto grid max-w-text gap-6 px-4 py-10 md:px-6 md:py-14">
        {done === "rated" && !closed && !actionData && (
          <DoneNotice
            title="Thank you for your rating"
            text="With this link you can change it later."
          />
        )}
        {done === "withdrawn" && stars === null && !actionData && (
          <DoneNotice
            title="Your rating is withdrawn"
            text={
              closed ? "It does not count any more." : "With this link you can rate again later."
            }
          />
        )}
        <FormProblem
          notice={actionData && { title: "Please check this", text: actionData.message }}
        />
        <h1 className="display text-2xl md:text-3xl">How was your session with {counselor}?</h1>
        {session && <p className="text-lg text-muted">{session}</p>}
        {hidden && (
          <p>
            {`We do not show your words on the site. Reason: ${hidden}. Your stars count as any others.`}
          </p>
        )}
        {closed && !actionData && <p>{closed}</p>}
        {closed && stars !== null && (
          <p>{`Your rating, ${stars} of 5 stars, stays as it is. You can only withdraw it.`}</p>
        )}
        <Form method="post" className="grid gap-6">
          {!closed && <RatingFields typed={typed} />}
          <div className="flex flex-wrap gap-3">
            {!closed && (
              <button type="submit" className="button button-primary">
                {stars === null ? "Send my rating" : "Change my rating"}
              </button>
            )}
            {stars !== null && (
              <button
                type="submit"
                name="intent"
                value="withdraw"
                formNoValidate
                className="button button-quiet"
              >
                Withdraw it
              </button>
            )}
          </div>
        </Form>
      </div>
    </PublicPage>
  );
}

function RatingFields({ typed }: { typed: Record<string, unknown> }) {
  return (
    <>
      <fieldset className="grid gap-2">
        <legend className="font-semibold">Your rating</legend>
        {WORDS.map((word, i) => (
          <label key={word} className="card flex min-h-11 items-center gap-3 px-4">
            <input
              type="radio"
              name="stars"
              value={i + 1}
              defaultChecked={typed.stars === String(i + 1)}
              required
            />
            {`${i + 1} of 5: ${word}`}
          </label>
        ))}
      </fieldset>
      <label className="grid gap-1.5 font-semibold">
        In your words, if you like (up to 600 characters)
        <textarea
          name="text"
          rows={5}
          maxLength={600}
          defaultValue={String(typed.text ?? "")}
          className="input font-normal"
        />
      </label>
      <label className="flex min-h-11 items-center gap-3">
        <input
          type="checkbox"
          name="shown"
          value="yes"
          defaultChecked={Boolean(typed.shown)}
          className="size-5 shrink-0 accent-action"
        />
        Show my words with my first name on the site. Without it, only the owner reads them.
      </label>
    </>
  );
}
