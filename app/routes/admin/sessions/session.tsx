/** A session of the captain who is signed in, with the staff note. */
import { href } from "react-router";
import { adminContext } from "#app/auth/require-admin.server.ts";
import { noteOnlySchema } from "#app/booking/change-fields.ts";
import { editContact } from "#app/booking/edit-appointment.server.ts";
import { stateName } from "#app/documents/document-facts.ts";
import { found } from "#app/http/found.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { telLink } from "#app/model/tel-link.ts";
import { JoinButton } from "#app/routes/admin/parts/captain-parts.tsx";
import { Facts } from "#app/routes/admin/parts/facts.tsx";
import { AreaField } from "#app/routes/admin/parts/fields.tsx";
import { type Asked, screen } from "#app/routes/admin/parts/form-page.server.ts";
import {
  concurrentEdit,
  PageForm,
  SubmitButton,
  useFormPage,
} from "#app/routes/admin/parts/form-page.tsx";
import { Part } from "#app/routes/admin/parts/form-parts.tsx";
import { HelpCalls } from "#app/routes/admin/parts/help-call.tsx";
import { helpView } from "#app/routes/admin/parts/help-view.server.ts";
import { PageHead, Problem } from "#app/routes/admin/parts/page-parts.tsx";
import {
  Answers,
  AttendanceButtons,
  HowItTakesPlace,
  PlanLink,
  StatusBadge,
} from "#app/routes/admin/parts/session-parts.tsx";
import { ownSessionView, planLink } from "#app/routes/admin/parts/views.server.ts";
import { findSessionOf } from "#db/queries/appointments.server.ts";
import { findAnswers } from "#db/queries/preparation.server.ts";
import type { Route } from "./+types/session";

const { loader, action } = screen({
  // Another captain's session is a 404 too.
  find: ({ deps, context, params }: Asked<Route.LoaderArgs>): Appointment => {
    const { counselorKey } = context.get(adminContext).admin;
    return found(findSessionOf(deps.db, counselorKey ?? "", params.id));
  },
  view: ({ deps, about }) => ({
    session: ownSessionView(about, deps.now()),
    state: about.stateCode && stateName(about.stateCode),
    note: noteOf(about),
    answers: findAnswers(deps.db, about.id),
    help: helpView(deps, about, about.calendarUid),
    plan: planLink(deps, about, about.calendarUid),
  }),
}).one({
  fields: noteOnlySchema,
  run: (input, { deps, actor, about }) => editContact(deps, actor, about.id, input),
  failed: "Staff Note Not Saved",
  saved: ({ about }) => noteOf(about),
  done: (_, { params }) => ({
    to: href("/admin/sessions/:id", { id: params.id }),
    title: "Staff Note Saved",
    description: "The customer is not notified.",
  }),
});

export { action, loader };

function noteOf({ version, staffNote }: Appointment) {
  return { version: String(version), staffNote: staffNote ?? "" };
}

export default function Session(props: Route.ComponentProps) {
  const page = useFormPage(props);
  // Not `page.view`: noting attendance reloads `loaderData`.
  const { session, state, note, answers, plan, help } = props.loaderData.view;
  const { name, phone, question, attendance } = session;
  return (
    <div className="mx-auto max-w-192">
      <PageHead title={name} />
      <div className="grid gap-5">
        <div className="card grid gap-4 p-5">
          <Facts
            facts={[
              ["Date", session.day],
              ["Time", `${session.time} IST, ${session.minutes} minutes`],
              [
                "Status",
                <span key="status" className="flex flex-wrap items-center gap-x-2">
                  <StatusBadge status={session.status} />
                  {session.note && <span className="text-muted">{session.note}</span>}
                </span>,
              ],
              ["How", <HowItTakesPlace key="how" how={session.how} />],
              [
                "Phone",
                phone ? (
                  <a key="phone" href={telLink(phone)} className="link">
                    {phone}
                  </a>
                ) : (
                  "Erased"
                ),
              ],
              ["Booked by", session.bookedBy],
              ["State", state],
              [
                "Question",
                <span key="question" className="whitespace-pre-wrap">
                  {question ?? "None"}
                </span>,
              ],
            ]}
          />
          <JoinButton {...session} />
          {answers.length > 0 && <Answers answers={answers} />}
          <div>
            <AttendanceButtons of={attendance} />
            <PlanLink plan={plan} />
            <HelpCalls help={help} />
          </div>
        </div>
        <Part title="Staff note" text="For you and the team; customers never see it.">
          <Problem refusal={page.refusal} />
          <PageForm
            id="note"
            reply={page.replyTo()}
            edit={concurrentEdit(page.merged, note)}
            preventScrollReset
            className="grid gap-4"
          >
            <AreaField name="staffNote" label="Staff note" rows={4} maxLength={2000} />
            <SubmitButton pending="Saving..." className="justify-self-start">
              Save Note
            </SubmitButton>
          </PageForm>
        </Part>
      </div>
    </div>
  );
}
