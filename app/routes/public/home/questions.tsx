import { Icon } from "#app/components/icons.tsx";

export interface Question {
  question: string;
  answer: string;
}

export function Questions({ questions }: { questions: readonly Question[] }) {
  return (
    <section
      id="questions"
      aria-labelledby="questions-title"
      className="mx-auto max-w-page px-4 pt-16 md:px-6"
    >
      <h2 id="questions-title" className="display text-2xl">
        Common questions
      </h2>
      <div className="mt-4 max-w-text divide-y divide-line border-y border-line">
        {questions.map(({ question, answer }) => (
          <details key={question} className="group">
            <summary className="flex min-h-12 cursor-pointer list-none items-center gap-3 py-3 font-semibold">
              <span className="flex-1">{question}</span>
              <Icon
                name="chevronDown"
                className="size-5 text-action transition-transform group-open:rotate-180"
              />
            </summary>
            <p className="pb-4 pr-8 text-muted">{answer}</p>
          </details>
        ))}
      </div>
    </section>
  );
}
