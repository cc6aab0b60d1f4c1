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

function wordsOf({ count, left, isOpen }: NonNullable<PreparationView["questions"]>): string {
  if (!isOpen) return "What you wrote for the captain.";
  if (left === 0) return "You have answered. You can change it until the session begins.";
  const questions = count === 1 ? "a question" : `${count} questions`;
  return `The captain has ${questions} for you, so that the time is well used.`;
}
