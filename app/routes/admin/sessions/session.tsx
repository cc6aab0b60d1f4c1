/** One session of the captain who is signed in: who, when, how, and the staff note. */
import { getFormProps } from "@conform-to/react";
import { data, Form, href, type RouterContextProvider, useNavigation } from "react-router";
import { adminContext } from "#app/auth/require-admin.server.ts";
import { noteOnlySchema } from "#app/booking/change-fields.ts";
import { editContact } from "#app/booking/edit-appointment.server.ts";
import { TextAreaField } from "#app/components/field.tsx";
import { depsContext } from "#app/core/deps.server.ts";
import { stateName } from "#app/documents/document-facts.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { telLink } from "#app/model/tel-link.ts";
import { Facts } from "#app/routes/admin/parts/facts.tsx";
import { lines, mergedForm } from "#app/routes/admin/parts/form-page.server.ts";
import { Part } from "#app/routes/admin/parts/form-parts.tsx";
import { actorOf, carryOut, goOn } from "#app/routes/admin/parts/forms.server.ts";
import { Problem } from "#app/routes/admin/parts/notice.tsx";
import { PageHead } from "#app/routes/admin/parts/page-parts.tsx";
import {
  AttendanceButtons,
  HowItTakesPlace,
  StatusBadge,
} from "#app/routes/admin/parts/session-parts.tsx";
import { useAnswer, useAnsweredForm } from "#app/routes/admin/parts/submission.ts";
import { ownSessionView } from "#app/routes/admin/parts/views.server.ts";
import { findSessionOf } from "#db/queries/appointments.server.ts";
import type { Route } from "./+types/session";

const FAILED = "Staff Note Not Saved";

export function loader({ params, context }: Route.LoaderArgs) {
  const session = requireSession(context, params.id);
  return {
    session: ownSessionView(session, context.get(depsContext).now()),
    state: session.stateCode && stateName(session.stateCode),
    note: noteOf(session),
  };
}

/** Throws the page's 404, for another captain's session too. */
function requireSession(context: Readonly<RouterContextProvider>, id: string): Appointment {
  const { counselorKey } = context.get(adminContext).admin;
  const session = findSessionOf(context.get(depsContext).db, counselorKey ?? "", id);
  if (!session) throw data(null, { status: 404 });
  return session;
}

function noteOf({ version, staffNote }: Appointment) {
  return { version: String(version), staffNote: lines(staffNote ?? "") };
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const { id } = requireSession(context, params.id);
  const form = await request.formData();
  const done = await carryOut(form, noteOnlySchema, (input) =>
    editContact(deps, actorOf(context), id, input),
  );
  if (done.ok) {
    return goOn(deps, href("/admin/sessions/:id", { id: params.id }), {
      title: "Staff Note Saved",
      description: "The customer is not told.",
    });
  }
  const saved = noteOf(requireSession(context, params.id));
  return done.refuse(FAILED, mergedForm(form, saved, done.code === "stale"));
}

export default function Session({ loaderData, actionData }: Route.ComponentProps) {
  const { session, state } = loaderData;
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
              ...(state ? [["State", state] as const] : []),
              [
                "Question",
                <span key="question" className="whitespace-pre-wrap">
                  {question ?? "None"}
                </span>,
              ],
            ]}
          />
          <AttendanceButtons of={attendance} />
        </div>
        <NotePart note={loaderData.note} given={actionData} />
      </div>
    </div>
  );
}

type Given = Pick<Route.ComponentProps, "actionData">["actionData"];

function NotePart({ note, given }: { note: { version: string; staffNote: string }; given: Given }) {
  const answer = useAnswer(given, FAILED);
  const pending = useNavigation().formMethod === "POST";
  const [form, fields] = useAnsweredForm<"staffNote">("note", answer?.reply);
  const values = answer?.values ?? note;
  const shown = answer?.shown ?? note;
  const saved = answer?.saved;
  const isOther = saved && saved.staffNote !== values.staffNote;
  return (
    <Part title="Staff note" text="For you and the team; customers never see it.">
      <Problem refusal={answer?.refusal} />
      <Form {...getFormProps(form)} method="post" preventScrollReset className="grid gap-4">
        <input type="hidden" name="version" value={values.version} />
        <input type="hidden" name="shown" value={JSON.stringify({ staffNote: shown.staffNote })} />
        <TextAreaField
          field={fields.staffNote}
          label="Staff note"
          hint={
            isOther && (
              <span className="whitespace-pre-wrap">
                Saved at present: {saved.staffNote || "nothing"}
              </span>
            )
          }
          shown={values.staffNote}
          rows={4}
          maxLength={2000}
        />
        <button
          type="submit"
          disabled={pending}
          className="button button-primary justify-self-start"
        >
          {pending ? "Saving..." : "Save Note"}
        </button>
      </Form>
    </Part>
  );
}
