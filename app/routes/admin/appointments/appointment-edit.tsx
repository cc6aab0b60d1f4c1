/** Corrects the contact data and the staff note of an appointment. */
import { href } from "react-router";
import { editContactFormSchema } from "#app/booking/change-fields.ts";
import { editContact } from "#app/booking/edit-appointment.server.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { AreaField, LineField, OptionsField } from "#app/routes/admin/parts/fields.tsx";
import { screen } from "#app/routes/admin/parts/form-page.server.ts";
import { concurrentEdit, FormDialog, useFormPage } from "#app/routes/admin/parts/form-page.tsx";
import { withList } from "#app/routes/admin/parts/list-search.ts";
import { STAFF_NOTE } from "#app/routes/admin/parts/words.ts";
import type { Route } from "./+types/appointment-edit";
import { appointmentAsked } from "./appointment-view.server.ts";
import { ContactFields } from "./new-booking-fields.tsx";

const { loader, action } = screen({
  find: appointmentAsked,
  view: ({ about }) => ({ id: about.id, contact: contactOf(about) }),
}).one({
  fields: editContactFormSchema,
  run: (input, { deps, actor, about }) => editContact(deps, actor, about.id, input),
  failed: "Update Failed",
  saved: ({ about }) => contactOf(about),
  done: (edited, { about, listSearch }) => {
    const { version: _, staffNote, ...contact } = contactOf(edited);
    const { version: __, staffNote: noteBefore, ...contactBefore } = contactOf(about);
    const isNote = staffNote !== noteBefore;
    const isContact = JSON.stringify(contact) !== JSON.stringify(contactBefore);
    return {
      to: withList(href("/admin/appointments/:id", { id: edited.id }), listSearch),
      ...(isNote && !isContact ? NOTE_SAVED : CONTACT_SAVED),
    };
  },
});

export { action, loader };

const AGE_OPTIONS = [
  ["adult", "18 or older"],
  ["under18", "Under 18"],
] as const;

const CONTACT_SAVED = {
  title: "Contact Updated",
  description: "The contact data has been corrected.",
};
const NOTE_SAVED = { title: "Staff Note Saved", description: "The customer is not notified." };

function contactOf({ version, contact, student, staffNote }: Appointment) {
  return {
    version: String(version),
    ...contact,
    ...(student && {
      studentName: student.name,
      studentAge: student.under18 ? "under18" : "adult",
    }),
    notes: contact.notes ?? "",
    staffNote: staffNote ?? "",
  };
}

export default function EditContact(props: Route.ComponentProps) {
  const page = useFormPage(props);
  const { id, contact } = page.view;
  return (
    <FormDialog
      id="contact"
      page={page}
      title="Correct Contact Data"
      backTo={href("/admin/appointments/:id", { id })}
      lead={
        <p className="mb-4 text-muted">
          A paid booking&apos;s confirmation is sent again when it is no longer right. An issued
          invoice stands as it was printed.
          {contact.studentName !== undefined &&
            " Once a booking for a student under 18 is paid, the parent or guardian is asked to confirm, and again if the name changes."}
        </p>
      }
      edit={concurrentEdit(page.merged, contact)}
      className="grid gap-4"
      submit={["Save", "Saving..."]}
      keep="Back"
      keepLast
    >
      <ContactFields data-first="" />
      {contact.studentName !== undefined && (
        <>
          <LineField name="studentName" label="Student’s name" maxLength={100} />
          <OptionsField name="studentAge" label="Student’s age" options={AGE_OPTIONS} />
        </>
      )}
      <AreaField name="notes" label="Notes" rows={4} maxLength={1000} />
      <AreaField name="staffNote" label={STAFF_NOTE} rows={4} maxLength={2000} />
    </FormDialog>
  );
}
