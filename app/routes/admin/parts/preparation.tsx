/** What was answered before a session, and whether a guardian has confirmed. */
import type { Answer } from "#app/model/questions.ts";

export function Answers({ answers }: { answers: readonly Answer[] }) {
  return (
    <dl className="grid gap-3">
      {answers.map(({ id, label, answer }) => (
        <div key={id}>
          <dt className="text-sm text-muted">{label}</dt>
          <dd className="whitespace-pre-wrap break-words font-medium">{answer}</dd>
        </div>
      ))}
    </dl>
  );
}
