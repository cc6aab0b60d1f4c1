/** On the booking page: what is still to do before the session. */
import { href } from "react-router";
import type { PreparationView } from "./prepare-view.server.ts";

export function Preparation({ preparation }: { preparation: PreparationView }) {
  const { id, questions, awaitsGuardian } = preparation;
  if (!questions && !awaitsGuardian) return null;
  return (
    <section
      aria-labelledby="prepare-title"
      className="no-print card grid gap-3 p-5 shadow-low md:p-6"
    >
      <h2 id="prepare-title" className="display text-lg">
        {questions && !questions.isOpen ? "Your answers" : "Before the session"}
      </h2>
      {awaitsGuardian && (
        <p>
          The student is under 18. We have mailed you a link: please confirm there as parent or
          guardian.
        </p>
      )}
      {questions && (
        <>
          <p>{wordsOf(questions)}</p>
          <a
            className={`button sm:w-fit ${questions.left > 0 ? "button-primary" : "button-quiet"}`}
            href={href("/booking/:id/prepare", { id })}
          >
            {buttonOf(questions)}
          </a>
        </>
      )}
    </section>
  );
}

function buttonOf({ left, isOpen }: NonNullable<PreparationView["questions"]>): string {
  if (!isOpen) return "See your answers";
  return left > 0 ? "Answer the questions" : "See or change your answers";
}

function wordsOf(questions: NonNullable<PreparationView["questions"]>): string {
  const { count, answered, left, isOpen } = questions;
  if (!isOpen) return "What you wrote for the captain.";
  if (left === 0) {
    const part = answered < count ? ` ${answered} of the ${count} questions` : "";
    return `You have answered${part}. You can change it until the session begins.`;
  }
  const one = answered > 0 ? "one more question" : "a question";
  const several = answered > 0 ? `${left} more questions` : `${left} questions`;
  const asked = left === 1 ? one : several;
  return `The captain has ${asked} for you, so that the time is well used.`;
}
