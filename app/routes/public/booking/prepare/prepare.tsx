/** The questions before the session, shown to the browser that booked or gave the email address. */
import { data, Form, href, redirect } from "react-router";
import { isOpenIn, openBooking } from "#app/booking/self-service.server.ts";
import { SelectField, TextAreaField, TextField } from "#app/components/field.tsx";
import { clientContext, type Deps, depsContext } from "#app/core/deps.server.ts";
import { retryHeaders } from "#app/http/json.server.ts";
import { type Failure, type FieldErrors, failure, STATUS_OF_CODE } from "#app/model/outcome.ts";
import { lookUp } from "#app/model/unknown-code.ts";
import {
  bookingHead,
  requireBooking,
} from "#app/routes/public/booking/change/change-view.server.ts";
import { OpenForm, refusedReply } from "#app/routes/public/booking/open-form.tsx";
import { FormProblem, type Notice, problemLines } from "#app/routes/public/parts/form-problem.tsx";
import { PublicPage, privateMeta } from "#app/routes/public/parts/public-page.tsx";
import { givenIn } from "#app/sessions/answer-fields.ts";
import { answerQuestions, readPreparation } from "#app/sessions/preparation.server.ts";
import type { Route } from "./+types/prepare";
import { questionsView } from "./prepare-view.server.ts";

export async function loader({ params, request, context }: Route.LoaderArgs) {
  const deps = context.get(depsContext);
  const { appointment, asked } = requireAsked(deps, params.id);
  const isOpen = await isOpenIn(deps, request, appointment.id);
  return {
    ...bookingHead(deps, appointment),
    /** Null until the booking is opened in this browser. */
    questions: isOpen ? questionsView(asked) : null,
  };
}

/** Throws a 404 if there is no such booking, and leads to its page if nothing is asked (any more). */
function requireAsked(deps: Deps, bookingId: string) {
  const appointment = requireBooking(deps, bookingId);
  const asked = readPreparation(deps, appointment);
  if (!asked) throw redirect(href("/booking/:id", { id: bookingId }), 303);
  return { appointment, asked };
}

interface Refused {
  errors: FieldErrors;
  notice: Notice | null;
  typed: Record<string, string>;
  /** What was typed, by the id of its question: the owner may have put them in another order. */
  answers: Record<string, string>;
  /** Set if this request has opened the booking. */
  questions?: ReturnType<typeof questionsView>;
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const { appointment, asked } = requireAsked(deps, params.id);
  const { id } = appointment;
  const answered = `${href("/booking/:id", { id })}?done=answered`;
  const here = href("/booking/:id/prepare", { id });
  const form = await request.formData();
  if (form.get("intent") === "open") {
    const email = String(form.get("email") ?? "");
    const clientAddress = context.get(clientContext).address;
    const opened = await openBooking(deps, id, { email, clientAddress }, request);
    if (!opened.ok) return refuse(form, { ...opened, errors: { email: [opened.message] } });
    const headers = { "Set-Cookie": opened.value };
    // Answers that were written before the booking was opened are saved with it.
    const saved = form.has("asked") ? answerQuestions(deps, id, givenIn(form)) : null;
    if (saved?.ok === false)
      return refuse(form, saved, { headers, questions: questionsView(asked) });
    return redirect(saved ? answered : here, { status: 303, headers });
  }
  if (!(await isOpenIn(deps, request, id))) {
    const text = "Please give the email address of the booking. What you wrote is saved with it.";
    return refuse(form, failure("forbidden", text));
  }
  const saved = answerQuestions(deps, id, givenIn(form));
  return saved.ok ? redirect(answered, 303) : refuse(form, saved);
}

interface Opened extends Pick<Refused, "questions"> {
  headers?: Record<string, string>;
}

function refuse(form: FormData, refusal: Failure, { headers = {}, ...opened }: Opened = {}) {
  const { code, message, errors } = refusal;
  const typed = Object.fromEntries([...form].map(([name, value]) => [name, String(value)]));
  const answers = Object.fromEntries(givenIn(form));
  const notice = errors ? null : { title: "Not saved", text: message };
  const status = STATUS_OF_CODE[code];
  return data<Refused>(
    { errors: errors ?? {}, notice, typed, answers, ...opened },
    { status, headers: { ...retryHeaders(refusal), ...headers } },
  );
}

export { passActionHeaders as headers } from "#app/routes/public/parts/public-page.tsx";

export const meta = privateMeta("Before your session");

export default function Prepare({ loaderData: view, actionData }: Route.ComponentProps) {
  const questions = view.questions ?? actionData?.questions ?? null;
  const fields = [...(questions?.questions ?? []).map(({ name }) => name), "email"];
  const targets = Object.fromEntries(fields.map((name) => [name, `prepare-${name}`]));
  return (
    <PublicPage business={view.business}>
      <div className="mx-auto grid max-w-text gap-6 px-4 py-10 md:px-6 md:py-14">
        <FormProblem
          notice={actionData?.notice}
          lines={problemLines(actionData?.errors, targets)}
        />
        <div>
          <h1 className="display text-2xl md:text-3xl">
            {questions && !questions.isOpen ? "Your answers" : "Before your session"}
          </h1>
          <p className="mt-2 text-lg text-muted">{view.session}</p>
        </div>
        {questions ? (
          <Questions id={view.id} questions={questions} refused={actionData} />
        ) : (
          <OpenForm
            id="prepare"
            action={href("/booking/:id/prepare", { id: view.id })}
            reply={actionData ? refusedReply(actionData.errors, actionData.typed.email) : null}
            emailHint={view.emailHint}
            keeps="read or change your answers"
            typed={writtenIn(actionData?.typed)}
          />
        )}
        <a className="link w-fit py-1" href={href("/booking/:id", { id: view.id })}>
          See your booking
        </a>
      </div>
    </PublicPage>
  );
}

/** Answers that were written before the booking was opened in this browser, to be sent along. */
function writtenIn(typed: Refused["typed"] = {}): Refused["typed"] {
  const isWritten = (name: string) => name === "asked" || name.startsWith("answer");
  return Object.fromEntries(Object.entries(typed).filter(([name]) => isWritten(name)));
}

interface QuestionsProps {
  id: string;
  questions: ReturnType<typeof questionsView>;
  refused: Refused | undefined;
}

function Questions({ id, questions, refused }: QuestionsProps) {
  if (!questions.isOpen) {
    return (
      <dl className="grid gap-4">
        {questions.answers.map(({ id: key, label, answer }) => (
          <div key={key}>
            <dt className="text-muted">{label}</dt>
            <dd className="whitespace-pre-wrap break-words font-semibold">{answer}</dd>
          </div>
        ))}
      </dl>
    );
  }
  return (
    <Form
      method="post"
      action={href("/booking/:id/prepare", { id })}
      noValidate
      className="grid gap-6"
    >
      <p>
        Your captain reads this before the session. You can change it until the session begins.
        Please send no medical papers, and write nothing of them here.
      </p>
      <input type="hidden" name="asked" value={questions.asked} />
      {questions.questions.map((question) => (
        <AnswerField
          key={question.id}
          question={question}
          longest={questions.longest}
          refused={refused}
        />
      ))}
      <button type="submit" name="intent" value="answer" className="button button-primary sm:w-fit">
        Save your answers
      </button>
    </Form>
  );
}

interface AnswerFieldProps {
  question: QuestionsProps["questions"]["questions"][number];
  longest: number;
  refused: Refused | undefined;
}

function AnswerField({ question, longest, refused }: AnswerFieldProps) {
  const { name, kind, required, choices, hint } = question;
  const id = `prepare-${name}`;
  const errors = refused?.errors[name];
  const typed = lookUp(refused?.answers ?? {})(question.id);
  const initialValue = typed ?? question.answer;
  const field = { id, errorId: `${id}-error`, name, errors, initialValue };
  const frame = { field, label: question.label, hint: hintOf(hint, required) };
  if (kind === "choice") {
    const options = choices.map((one) => [one, one || "Please choose"] as const);
    return <SelectField {...frame} options={options} />;
  }
  if (kind === "number") {
    return (
      <TextField
        {...frame}
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        autoFocus={false}
      />
    );
  }
  return <TextAreaField {...frame} maxLength={longest} />;
}

function hintOf(hint: string, required: boolean): string | undefined {
  const words = [hint, required ? "" : "If you like."].filter(Boolean).join(" ");
  return words || undefined;
}
