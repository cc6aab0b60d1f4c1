/** What failed inside, with the words to send to a developer. */
import { Form, href } from "react-router";
import { CopyField } from "#app/routes/admin/parts/facts.tsx";

export interface FailuresView {
  title: string;
  groups: readonly { key: string; label: string; words: string }[];
  /** Groups that are not listed. */
  more: number;
  /** What has not failed again since goes when it is dismissed; milliseconds UTC. */
  until: number;
}

export function Failures({ title, groups, more, until }: FailuresView) {
  return (
    <details className="mb-4 rounded-lg border border-edge bg-waiting-soft px-4 py-3">
      <summary className="min-h-8 cursor-pointer font-semibold">{title}</summary>
      <p className="mt-1 text-sm">
        The program met something it was not made for. Please send these words to whoever looks
        after it; they name no customer. This goes by itself a week after the last time.
      </p>
      {groups.map(({ key, label, words }) => (
        <div key={key} className="mt-3 text-sm">
          <CopyField label={label} text={words} />
        </div>
      ))}
      {more > 0 && <p className="mt-3 text-sm">{`and ${more} more, in the log`}</p>}
      <Form method="post" action={href("/admin/failures")} className="mt-3">
        <input type="hidden" name="until" value={until} />
        <button type="submit" className="button button-quiet">
          Dismiss
        </button>
      </Form>
    </details>
  );
}
