/** The plan after a session, written by its captain or by staff; a draft until it is sent. */
import { href } from "react-router";
import { bookingIdAt, ownCounselor, shownId } from "#app/auth/require-admin.server.ts";
import { TextBlocks } from "#app/components/text-blocks.tsx";
import { found } from "#app/http/found.ts";
import { takesPlan } from "#app/model/after-session.ts";
import { attendeeOf } from "#app/model/appointment.ts";
import { adminInstant, adminSession } from "#app/model/dates.ts";
import { readText } from "#app/model/plain-text.server.ts";
import { personName } from "#app/model/wording.ts";
import { AreaField } from "#app/routes/admin/parts/fields.tsx";
import { type Asked, screen } from "#app/routes/admin/parts/form-page.server.ts";
import {
  concurrentEdit,
  PageForm,
  SubmitButton,
  useFormPage,
} from "#app/routes/admin/parts/form-page.tsx";
import { Part } from "#app/routes/admin/parts/form-parts.tsx";
import { PageHead, Problem } from "#app/routes/admin/parts/page-parts.tsx";
import { LONGEST_PLAN, planSchema } from "#app/sessions/fields.ts";
import { writePlan } from "#app/sessions/plan.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { findPlan, findPlanOfSession, type Plan } from "#db/queries/plans.server.ts";
import type { Route } from "./+types/plan";

const plan = screen({
  find: ({ deps, context, params }: Asked<Route.LoaderArgs>) => {
    const appointment = found(findAppointment(deps.db, bookingIdAt(context, params.id)));
    const latest = findPlan(deps.db, appointment.id);
    const plan = findPlanOfSession(deps.db, appointment);
    return { appointment, latest, plan, own: ownCounselor(context) };
  },
  view: ({ deps, about: { appointment, latest, plan, own } }) => ({
    name: personName(attendeeOf(appointment)),
    session: `${adminSession(appointment.date, appointment.timeSlot)}, ${appointment.counselor}`,
    isOpen: takesPlan(appointment, deps.now()),
    sent: plan?.sentAt ? adminInstant(plan.sentAt) : null,
    blocks: readText(latest?.text ?? ""),
    earlier: latest && !plan ? `${latest.counselor}, ${adminInstant(latest.startsAt)}` : null,
    filled: filledOf({ latest, plan }),
    back:
      own === null
        ? { to: href("/admin/appointments/:id", { id: appointment.id }), words: "Appointment" }
        : { to: href("/admin/sessions/:id", { id: shownId(own, appointment) }), words: "Session" },
  }),
});

const formOf = (send: boolean) =>
  plan.form({
    fields: planSchema,
    run: (input, { deps, actor, about, once }) =>
      once(`plan ${about.appointment.id} ${send}`, input, () =>
        writePlan(deps, actor, about.appointment.id, { ...input, send }),
      ),
    failed: send ? "Plan Not Sent" : "Plan Not Saved",
    saved: ({ about }) => filledOf(about),
    done: (_, { params, about }) => ({
      to: href("/admin/appointments/:id/plan", { id: params.id }),
      title: send ? "Plan Sent" : "Plan Saved",
      description: send
        ? "The customer gets it by mail in a moment. It also stands on the booking's page."
        : about.plan?.sentAt
          ? "The customer sees the change on the booking's page, without a mail."
          : "The customer does not see it until you send it.",
    }),
  });

const { loader, action } = plan.page({ draft: formOf(false), send: formOf(true) });

export { action, loader };

/** Empty beside the plan of an earlier session, whose version is the one to be replaced. */
function filledOf({ latest, plan }: { latest: Plan | null; plan: Plan | null }) {
  return { text: plan?.text ?? "", version: String(latest?.version ?? 0) };
}

/** Each saved version fills the form anew. */
export default function PlanPage(props: Route.ComponentProps) {
  return <PlanOfVersion key={props.loaderData.view.filled.version} {...props} />;
}

function PlanOfVersion(props: Route.ComponentProps) {
  const page = useFormPage(props);
  const { name, session, isOpen, sent, blocks, earlier, filled, back } = page.view;
  return (
    <div className="mx-auto max-w-192">
      <PageHead title={`Plan for ${name}`} above={back}>
        {session}
      </PageHead>
      {isOpen ? (
        <div className="grid gap-5">
          <section aria-label="Plan" className="card p-5">
            <Problem refusal={page.refusal} />
            <PageForm
              id="plan"
              reply={page.replyTo()}
              edit={concurrentEdit(page.merged, filled)}
              sends={{ formKey: page.formKey }}
              preventScrollReset
              className="grid gap-4"
            >
              <AreaField
                name="text"
                label="What you agreed on, and what comes next"
                hint="A blank line makes a paragraph, a dash at the start of a line a list. Addresses that begin with https:// become links. No medical details, please."
                rows={16}
                keepsTyped
                maxLength={LONGEST_PLAN}
              />
              <div className="flex flex-wrap gap-3">
                <SubmitButton intent="send" pending="Sending...">
                  {sent ? "Save and mail it again" : "Send to the customer"}
                </SubmitButton>
                <SubmitButton intent="draft" pending="Saving..." look="quiet">
                  {sent ? "Save without a mail" : "Save as a draft"}
                </SubmitButton>
              </div>
            </PageForm>
          </section>
          {blocks.length > 0 && (
            <Part
              id="saved-plan"
              title={earlier ? "The plan of an earlier session" : "As the customer reads it"}
              text={
                earlier
                  ? `Of ${earlier}. What you save here takes its place.`
                  : sent
                    ? `Mailed on ${sent}.`
                    : "A draft: not sent yet."
              }
            >
              <TextBlocks blocks={blocks} />
            </Part>
          )}
        </div>
      ) : (
        <p className="card p-5">A plan can be written once a paid session is over.</p>
      )}
    </div>
  );
}
