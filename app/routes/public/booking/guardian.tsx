/** The customer confirms as a student's parent or guardian. Only the mailed link leads here. */
import { getFormProps, useForm } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { data, Form, href, redirect } from "react-router";
import {
  confirmGuardian,
  guardianClosed,
  guardianWords,
  hashOfWords,
  readGuardianPage,
} from "#app/booking/guardian.server.ts";
import { guardianSchema } from "#app/booking/student-fields.ts";
import { FieldError, TextField } from "#app/components/field.tsx";
import { depsContext } from "#app/core/deps.server.ts";
import { found } from "#app/http/found.ts";
import { attendeeOf } from "#app/model/appointment.ts";
import { formatInstant, formatSession } from "#app/model/dates.ts";
import { STATUS_OF_CODE } from "#app/model/outcome.ts";
import { FormProblem, problemLines } from "#app/routes/public/parts/form-problem.tsx";
import { businessView, PublicPage, privateMeta } from "#app/routes/public/parts/public-page.tsx";
import type { Route } from "./+types/guardian";

export function loader({ params, context }: Route.LoaderArgs) {
  const deps = context.get(depsContext);
  const { token } = params;
  const { appointment, guardian } = found(readGuardianPage(deps, token));
  const { confirmedAt, relation } = guardian;
  const words = guardian.words?.split("\n") ?? guardianWords(appointment, deps.env);
  return {
    token,
    business: businessView(deps.env),
    student: attendeeOf(appointment),
    session: `${formatSession(appointment.date, appointment.timeSlot)}, with ${appointment.counselor}`,
    closed: guardianClosed(appointment, deps.now()),
    words,
    shown: hashOfWords(words),
    relation: relation ?? appointment.student?.relation ?? "",
    /** When it was confirmed; null before. */
    confirmed: confirmedAt && formatInstant(confirmedAt),
  };
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const submission = parseWithZod(await request.formData(), { schema: guardianSchema });
  if (submission.status !== "success") {
    return data({ reply: submission.reply(), notice: null }, 400);
  }
  const done = confirmGuardian(deps, params.token, submission.value);
  if (done.ok) return redirect(href("/guardian/:token", { token: params.token }), 303);
  const notice = { title: "Not confirmed", text: done.message };
  return data({ reply: submission.reply(), notice }, STATUS_OF_CODE[done.code]);
}

export const meta = privateMeta("Parent or guardian");

const TARGETS = { relation: "guardian-relation", agree: "guardian-agree" };

export default function Guardian({ loaderData: view, actionData }: Route.ComponentProps) {
  const { confirmed, closed, student, session, words, relation } = view;
  return (
    <PublicPage business={view.business}>
      <div className="mx-auto grid max-w-text gap-6 px-4 py-10 md:px-6 md:py-14">
        <FormProblem
          notice={actionData?.notice}
          lines={problemLines(actionData?.reply.error, TARGETS)}
        />
        <div role="status">
          <h1 className="display text-2xl md:text-3xl">
            {confirmed ? "You have confirmed" : `For the parent or guardian of ${student}`}
          </h1>
        </div>
        <p className="text-lg text-muted">
          {confirmed
            ? `As ${relation} of ${student}, on ${confirmed}. Session: ${session}.`
            : `You booked a session for ${student}, who is under 18: ${session}.`}
        </p>
        {closed && <p>{`${closed}${confirmed ? "" : ": there is nothing to confirm"}.`}</p>}
        {(confirmed || !closed) && (
          <section aria-labelledby="words-title" className="card grid gap-3 p-5 shadow-low md:p-6">
            <h2 id="words-title" className="display text-lg">
              {confirmed ? "What you agreed to" : "What you agree to"}
            </h2>
            <ul className="grid list-disc gap-2 pl-5">
              {words.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
            <p className="text-sm text-muted">
              We keep these words, the time and your relation with the booking.{" "}
              <a className="link" href={href("/privacy")}>
                Privacy
              </a>
            </p>
          </section>
        )}
        {!confirmed && !closed && <ConfirmForm view={view} reply={actionData?.reply ?? null} />}
      </div>
    </PublicPage>
  );
}

interface ConfirmFormProps {
  view: Route.ComponentProps["loaderData"];
  reply: NonNullable<Route.ComponentProps["actionData"]>["reply"] | null;
}

function ConfirmForm({ view, reply }: ConfirmFormProps) {
  const [form, fields] = useForm<{ relation: string; agree: string }>({
    id: "guardian",
    lastResult: reply,
    defaultValue: { relation: view.relation },
  });
  const { agree } = fields;
  return (
    <Form
      {...getFormProps(form)}
      method="post"
      action={href("/guardian/:token", { token: view.token })}
      noValidate
      className="grid gap-5"
    >
      <input type="hidden" name="shown" value={view.shown} />
      <TextField
        field={fields.relation}
        label={`What you are to ${view.student}`}
        hint="For example mother, father or guardian."
        autoComplete="off"
        maxLength={50}
        required
        autoFocus={false}
      />
      <div>
        <label className="flex min-h-11 items-center gap-2 font-semibold">
          <input
            type="checkbox"
            id={agree.id}
            name="agree"
            aria-invalid={agree.errors ? true : undefined}
            aria-describedby={agree.errors ? agree.errorId : undefined}
            className="size-5 shrink-0 accent-action"
          />
          I agree to all of this
        </label>
        <FieldError id={agree.errorId} errors={agree.errors} />
      </div>
      <button type="submit" className="button button-primary sm:w-fit">
        Confirm as parent or guardian
      </button>
    </Form>
  );
}
