/** What people say of a captain, with their yes, and how many such texts are hidden. */
import type { CaptainRatingsView } from "#app/sessions/ratings.server.ts";

export function CaptainRatings({ ratings }: { ratings: CaptainRatingsView }) {
  const { texts, hidden } = ratings;
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
