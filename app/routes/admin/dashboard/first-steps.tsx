/** The first steps of a new owner, shown until the required ones are done. */
import { href, Link } from "react-router";
import { Icon } from "#app/components/icons.tsx";
import { ButtonForm } from "#app/routes/admin/parts/page-parts.tsx";
import type { FirstStepsView } from "./first-steps.server.ts";

export function FirstSteps({ steps }: { steps: FirstStepsView }) {
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <section aria-labelledby="first-steps" className="card mb-4 p-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="first-steps" className="display text-xl">
          First steps
        </h2>
        <p className="text-muted">{`${done} of ${steps.length} done`}</p>
      </div>
      <ol className="mt-3 grid gap-x-8 gap-y-1 md:grid-cols-2">
        {steps.map((step) => (
          <li key={step.name} className="flex gap-3 py-1.5">
            <StepMark isDone={step.isDone} />
            <div className="min-w-0">
              <p className={step.isDone ? "text-muted" : "font-semibold"}>
                {step.to === null ? (
                  step.title
                ) : (
                  <Link to={step.to} className="link">
                    {step.title}
                  </Link>
                )}
                <span className="sr-only">{step.isDone ? ": done" : ": to do"}</span>
              </p>
              {!step.isDone && <p className="text-sm text-muted">{step.text}</p>}
              {!step.isDone && (step.isConfirmed || step.name === "mail") && <StepForm {...step} />}
            </div>
          </li>
        ))}
      </ol>
      <ButtonForm action={href("/admin/first-steps")} className="mt-3">
        <button type="submit" name="away" value="true" className="button button-quiet button-small">
          Put This List Away
        </button>
      </ButtonForm>
    </section>
  );
}

function StepMark({ isDone }: { isDone: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={`mt-0.5 grid size-6 shrink-0 place-items-center rounded-full border-2 ${
        isDone ? "border-go bg-go-soft text-go" : "border-edge"
      }`}
    >
      {isDone && <Icon name="check" className="size-4" />}
    </span>
  );
}

function StepForm({ name }: { name: string }) {
  const isMail = name === "mail";
  return (
    <ButtonForm action={href("/admin/first-steps")} preventScrollReset className="mt-1">
      <button
        type="submit"
        name={isMail ? "testMail" : "confirm"}
        value={isMail ? "true" : name}
        className="button button-quiet button-small"
      >
        {isMail ? "Send a Test Mail" : "Keep as It Is"}
      </button>
    </ButtonForm>
  );
}
