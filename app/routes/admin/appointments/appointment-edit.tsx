/** Corrects the contact data of an appointment. */
import { useId } from "react";
import { Form, href, Link, useNavigation } from "react-router";
import { editContactSchema } from "#app/booking/change-fields.ts";
import { editContact } from "#app/booking/edit-contact.server.ts";
import { FieldError } from "#app/components/field.tsx";
import { depsContext } from "#app/core/deps.server.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { check } from "#app/model/check.ts";
import {
  actorOf,
  type Fields,
  fieldsOf,
  goOn,
  refuse,
} from "#app/routes/admin/parts/forms.server.ts";
import { listSearchOf, withList } from "#app/routes/admin/parts/list-search.ts";
import { Problem } from "#app/routes/admin/parts/notice.tsx";
import { Overlay } from "#app/routes/admin/parts/overlay.tsx";
import { AdminField } from "#app/routes/admin/parts/text-field.tsx";
import type { Route } from "./+types/appointment-edit";
import { requireAppointment } from "./appointment-view.server.ts";

export function loader({ params, url, context }: Route.LoaderArgs) {
  const appointment = requireAppointment(context.get(depsContext), params.id);
  return { contact: contactOf(appointment), listSearch: listSearchOf(url) };
}

export async function action({ params, request, url, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const actor = actorOf(context);
  const fields = fieldsOf(await request.formData());
  const input = check(editContactSchema, fields);
  requireAppointment(deps, params.id);
  const outcome = input.ok ? editContact(deps, actor, params.id, input.value) : input;
  if (!outcome.ok) {
    const saved = contactOf(requireAppointment(deps, params.id));
    const typed = typedIn(fields, saved);
    if (outcome.code !== "stale") {
      const contact = { ...typed, version: fields.version ?? "" };
      return refuse(outcome, "Update Failed", { contact, shown: shownOf(fields), saved: null });
    }
    // With what is saved in view, the next press counts.
    const contact = { ...saved, ...changedIn(typed, shownOf(fields)) };
    return refuse(outcome, "Update Failed", { contact, shown: saved, saved });
  }
  const page = href("/admin/appointments/:id", { id: params.id });
  return goOn(deps, withList(page, listSearchOf(url)), {
    title: "Contact Updated",
    description: "The contact data has been corrected.",
  });
}

const FIELDS = ["name", "email", "phone", "notes"] as const;
type Typed = Partial<Record<(typeof FIELDS)[number], string>>;

function typedIn(fields: Fields, saved: ReturnType<typeof contactOf>) {
  const typed = FIELDS.map((field) => [field, lines(fields[field] ?? saved[field])]);
  return { ...saved, ...(Object.fromEntries(typed) as Typed) };
}

/** What the form was filled with, as it says itself. */
function shownOf(fields: Fields): Typed {
  try {
    const shown: unknown = JSON.parse(fields.shown ?? "");
    return typeof shown === "object" && shown !== null ? (shown as Typed) : {};
  } catch {
    return {};
  }
}

/** What a person typed, without what they left as it was: another may have corrected that. */
function changedIn(typed: Required<Typed>, shown: Typed): Typed {
  return Object.fromEntries(
    FIELDS.filter((field) => typed[field] !== shown[field]).map((field) => [field, typed[field]]),
  );
}

function contactOf({ id, version, name, email, phone, notes }: Appointment) {
  return { id, version: String(version), name, email, phone, notes: lines(notes ?? "") };
}

/** With scripts a form's lines end in LF, without in CRLF. */
function lines(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

export default function EditContact({ loaderData, actionData }: Route.ComponentProps) {
  const { listSearch } = loaderData;
  const contact = actionData?.contact ?? loaderData.contact;
  const errors = actionData?.refusal.errors;
  const { name, email, phone, notes } = actionData?.shown ?? loaderData.contact;
  const savedHint = (field: keyof Typed) => {
    const saved = actionData?.saved;
    if (!saved || saved[field] === contact[field]) return null;
    return `Saved at present: ${saved[field] || "nothing"}`;
  };
  const back = withList(href("/admin/appointments/:id", { id: loaderData.contact.id }), listSearch);
  const notesId = useId();
  const notesHint = savedHint("notes");
  const notesDescribedBy = [notesHint && `${notesId}-hint`, errors?.notes && `${notesId}-error`]
    .filter(Boolean)
    .join(" ");
  const pending = useNavigation().formMethod === "POST";
  return (
    <Overlay title="Correct Contact Data" closeTo={back}>
      {actionData && (
        <Problem title={actionData.refusal.title} message={actionData.refusal.message} />
      )}
      <p className="mb-4 text-muted">
        A paid booking&apos;s confirmation is sent again to a new address or number. An issued
        invoice stands as it was printed.
      </p>
      <Form method="post" noValidate preventScrollReset className="grid gap-4">
        <input type="hidden" name="version" value={contact.version} />
        <input type="hidden" name="shown" value={JSON.stringify({ name, email, phone, notes })} />
        <AdminField
          // Another admin's correction fills a field that was left as it was.
          key={`name ${contact.name}`}
          name="name"
          label="Full name"
          hint={savedHint("name")}
          defaultValue={contact.name}
          maxLength={100}
          autoComplete="off"
          errors={errors}
          data-first=""
        />
        <AdminField
          key={`email ${contact.email}`}
          name="email"
          label="Email"
          hint={savedHint("email")}
          type="email"
          defaultValue={contact.email}
          maxLength={254}
          autoComplete="off"
          errors={errors}
        />
        <AdminField
          key={`phone ${contact.phone}`}
          name="phone"
          label="Phone"
          hint={savedHint("phone")}
          type="tel"
          defaultValue={contact.phone}
          maxLength={32}
          autoComplete="off"
          errors={errors}
        />
        <div>
          <label htmlFor={notesId} className="block font-semibold">
            Notes
          </label>
          {notesHint && (
            <p id={`${notesId}-hint`} className="whitespace-pre-wrap text-sm text-muted">
              {notesHint}
            </p>
          )}
          <textarea
            key={contact.notes}
            id={notesId}
            name="notes"
            rows={4}
            maxLength={1000}
            defaultValue={contact.notes}
            className="input mt-1"
            aria-invalid={errors?.notes ? true : undefined}
            aria-describedby={notesDescribedBy || undefined}
          />
          <FieldError id={`${notesId}-error`} errors={errors?.notes} />
        </div>
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
