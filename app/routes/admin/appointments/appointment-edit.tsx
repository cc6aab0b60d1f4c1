/** Corrects the contact data of an appointment. */
import { getFormProps } from "@conform-to/react";
import { Form, href, Link, useNavigation } from "react-router";
import { editContactSchema } from "#app/booking/change-fields.ts";
import { editContact } from "#app/booking/edit-appointment.server.ts";
import { TextAreaField, TextField } from "#app/components/field.tsx";
import { depsContext } from "#app/core/deps.server.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { lines, mergedForm } from "#app/routes/admin/parts/form-page.server.ts";
import { actorOf, carryOut, goOn } from "#app/routes/admin/parts/forms.server.ts";
import { listSearchOf, withList } from "#app/routes/admin/parts/list-search.ts";
import { Problem } from "#app/routes/admin/parts/notice.tsx";
import { Overlay } from "#app/routes/admin/parts/overlay.tsx";
import { useAnswer, useAnsweredForm } from "#app/routes/admin/parts/submission.ts";
import { STAFF_NOTE } from "#app/routes/admin/parts/words.ts";
import type { Route } from "./+types/appointment-edit";
import { requireAppointment } from "./appointment-view.server.ts";

const FAILED = "Update Failed";

export function loader({ params, url, context }: Route.LoaderArgs) {
  const appointment = requireAppointment(context.get(depsContext), params.id);
  return { id: appointment.id, contact: contactOf(appointment), listSearch: listSearchOf(url) };
}

export async function action({ params, request, url, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const before = contactOf(requireAppointment(deps, params.id));
  const form = await request.formData();
  const done = await carryOut(form, editContactSchema, (input) =>
    editContact(deps, actorOf(context), params.id, input),
  );
  if (done.ok) {
    const page = href("/admin/appointments/:id", { id: params.id });
    const { version: _, staffNote, ...contact } = contactOf(done.value);
    const isNote = staffNote !== before.staffNote;
    const isContact = Object.entries(contact).some(([key, value]) => before[key as Name] !== value);
    return goOn(
      deps,
      withList(page, listSearchOf(url)),
      isNote && !isContact ? NOTE_SAVED : CONTACT_SAVED,
    );
  }
  const saved = contactOf(requireAppointment(deps, params.id));
  return done.refuse(FAILED, mergedForm(form, saved, done.code === "stale"));
}

const CONTACT_SAVED = {
  title: "Contact Updated",
  description: "The contact data has been corrected.",
};
const NOTE_SAVED = { title: "Staff Note Saved", description: "The customer is not told." };

function contactOf({ version, contact, staffNote }: Appointment) {
  return {
    version: String(version),
    ...contact,
    notes: lines(contact.notes ?? ""),
    staffNote: lines(staffNote ?? ""),
  };
}

type Name = Exclude<keyof ReturnType<typeof contactOf>, "version">;

export default function EditContact({ loaderData, actionData }: Route.ComponentProps) {
  const { listSearch } = loaderData;
  const answer = useAnswer(actionData, FAILED);
  const contact = answer?.values ?? loaderData.contact;
  const { name, email, phone, notes, staffNote } = answer?.shown ?? loaderData.contact;
  const shown = JSON.stringify({ name, email, phone, notes, staffNote });
  const savedHint = (field: Name) => {
    const saved = answer?.saved;
    if (!saved || saved[field] === contact[field]) return null;
    return (
      <span className="whitespace-pre-wrap">Saved at present: {saved[field] || "nothing"}</span>
    );
  };
  const back = withList(href("/admin/appointments/:id", { id: loaderData.id }), listSearch);
  const pending = useNavigation().formMethod === "POST";
  const [form, fields] = useAnsweredForm<Name>("contact", answer?.reply);
  // Another admin's correction fills a field that was left as it was.
  const field = (of: Name) => ({
    field: fields[of],
    hint: savedHint(of),
    shown: contact[of],
  });
  return (
    <Overlay title="Correct Contact Data" closeTo={back}>
      <Problem refusal={answer?.refusal} />
      <p className="mb-4 text-muted">
        A paid booking&apos;s confirmation is sent again to a new address or number. An issued
        invoice stands as it was printed.
      </p>
      <Form {...getFormProps(form)} method="post" preventScrollReset className="grid gap-4">
        <input type="hidden" name="version" value={contact.version} />
        <input type="hidden" name="shown" value={shown} />
        <TextField
          {...field("name")}
          label="Full name"
          maxLength={100}
          autoComplete="off"
          data-first=""
        />
        <TextField
          {...field("email")}
          label="Email"
          type="email"
          maxLength={254}
          autoComplete="off"
        />
        <TextField {...field("phone")} label="Phone" type="tel" maxLength={32} autoComplete="off" />
        <TextAreaField {...field("notes")} label="Notes" rows={4} maxLength={1000} />
        <TextAreaField {...field("staffNote")} label={STAFF_NOTE} rows={4} maxLength={2000} />
        <div className="flex flex-wrap gap-3">
          <button type="submit" disabled={pending} className="button button-primary">
            {pending ? "Saving..." : "Save"}
          </button>
          <Link to={back} preventScrollReset className="button button-quiet">
            Back
          </Link>
        </div>
      </Form>
    </Overlay>
  );
}
