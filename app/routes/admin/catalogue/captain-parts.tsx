/** A captain's form beside a preview of the card, and the form of the portrait. */
import { getFormProps } from "@conform-to/react";
import { type ReactNode, useContext, useState } from "react";
import { Form, href } from "react-router";
import { CaptainCard, captainCard } from "#app/components/captain-card.tsx";
import { FieldError, sentAs, TextAreaField, TextField } from "#app/components/field.tsx";
import type { Counselor } from "#app/model/catalogue.ts";
import type { RoomKind } from "#app/model/room.ts";
import type { Reply } from "#app/routes/admin/parts/form-data.ts";
import {
  type ConcurrentEdit,
  SubmitButton,
  useAnsweredForm,
} from "#app/routes/admin/parts/form-page.tsx";
import { Account, Unseen } from "#app/routes/admin/parts/page-parts.tsx";
import { PictureForm } from "#app/routes/admin/parts/picture-form.tsx";
import type { CaptainValues } from "./catalogue-view.server.ts";

/** The parent page of a captain's page. */
export const CATALOGUE = { to: href("/admin/catalogue"), words: "Catalogue" };

type Name = keyof CaptainValues;

interface CaptainFormProps {
  edit: ConcurrentEdit<CaptainValues>;
  reply: Reply | null;
  /** Null for a new captain. */
  captain: Pick<Counselor, "portrait" | "sample"> | null;
}

export function CaptainForm({ edit, reply, captain }: CaptainFormProps) {
  const { values } = edit;
  const [typed, setTyped] = useState<CaptainValues>(values);
  const [form, fields] = useAnsweredForm<Name | "room.kind" | "room.address">("captain", reply);
  const field = (name: Name, hint?: ReactNode) => ({
    hint,
    ...edit.of(name),
    field: fields[name],
    autoComplete: "off",
  });
  return (
    <div className="grid items-start gap-6 grid-cols-[repeat(auto-fit,minmax(min(100%,26rem),1fr))]">
      <Form
        {...getFormProps(form)}
        method="post"
        onInput={({ currentTarget }) => {
          const now = Object.fromEntries(new FormData(currentTarget));
          setTyped({ ...values, ...(now as Partial<CaptainValues>) });
        }}
        className="card grid gap-4 p-5"
      >
        <Unseen fields={{ account: useContext(Account), ...(captain && edit.sends) }} />
        <TextField {...field("name")} label="Name" maxLength={100} />
        <TextField
          {...field("title", "Under the name, for example Airline captain and training guide.")}
          label="Title"
          maxLength={100}
        />
        <TextAreaField {...field("description")} label="Description" rows={4} maxLength={600} />
        <TextAreaField
          {...field("specialties", "One a line, at most 8.")}
          label="Specialties"
          rows={4}
          maxLength={600}
        />
        <TextAreaField
          {...field("languages", "Those you can advise in, one a line, at most 6.")}
          label="Languages"
          rows={2}
          maxLength={400}
        />
        <p className="text-sm text-muted">
          Only what you can prove goes on the page. A figure left empty is not shown.
        </p>
        <div className="grid gap-4 sm:grid-cols-3">
          <TextField {...field("yearsOfExperience")} label="Years" inputMode="numeric" />
          <TextField {...field("rating")} label="Rating" inputMode="decimal" />
          <TextField {...field("sessions")} label="Sessions" inputMode="numeric" />
        </div>
        <TextField
          {...field("email", "New bookings and reminders go there. Visitors never see it.")}
          label="Email"
          type="email"
          maxLength={254}
        />
        <fieldset>
          <legend className="font-semibold">How the session takes place</legend>
          {KINDS.map(({ kind, words }) => (
            <label key={kind} className="flex min-h-11 cursor-pointer items-center gap-3">
              <input
                type="radio"
                name="roomKind"
                value={kind}
                defaultChecked={values.roomKind === kind}
                className="size-5 shrink-0"
              />
              {words}
            </label>
          ))}
          <FieldError id={fields["room.kind"].errorId} errors={fields["room.kind"].errors} />
        </fieldset>
        <TextField
          {...field(
            "roomAddress",
            "Only who has paid gets it. For a room of each session write {code} where its letters go; with Zoom this is the link for when Zoom makes none. After a change of one link for all, customers who have paid for a session to come are notified by mail.",
          )}
          field={sentAs(fields["room.address"], "roomAddress")}
          label="Meeting link"
          inputMode="url"
          placeholder="https://"
          maxLength={500}
        />
        <SubmitButton pending="Saving..." className="justify-self-start">
          {captain ? "Save" : "Add Captain"}
        </SubmitButton>
      </Form>
      <section aria-label="Preview" className="min-w-0 lg:sticky lg:top-4">
        <h2 className="mb-2 text-muted">As visitors will see it</h2>
        <CaptainCard counselor={cardOf(typed, captain)} />
      </section>
    </div>
  );
}

const KINDS: { kind: RoomKind; words: string }[] = [
  { kind: "link", words: "By video: one meeting link for all" },
  { kind: "pattern", words: "By video: an address of its own for each session" },
  { kind: "zoom", words: "By Zoom: a meeting of its own for each session" },
  { kind: "phone", words: "By phone: the captain calls the customer" },
];

/** The card for the typed values, without invalid numbers. */
function cardOf(typed: CaptainValues, captain: CaptainFormProps["captain"]) {
  const number = (text: string) =>
    text.trim() === "" || !(Number(text) >= 0) ? null : Number(text);
  return captainCard({
    name: typed.name || "Name",
    title: typed.title || "Title",
    description: typed.description,
    yearsOfExperience: number(typed.yearsOfExperience),
    rating: number(typed.rating),
    sessions: number(typed.sessions),
    specialties: linesOf(typed.specialties),
    languages: linesOf(typed.languages),
    room: { kind: typed.roomKind as RoomKind },
    portrait: captain?.portrait ?? null,
    sample: captain?.sample ?? false,
  });
}

function linesOf(text: string): string[] {
  return [...new Set(text.split("\n").filter((one) => one.trim()))];
}

interface PortraitPartProps {
  counselor: Pick<Counselor, "key" | "name" | "portrait" | "version">;
  errors?: string[] | undefined;
}

export function PortraitPart({ counselor, errors }: PortraitPartProps) {
  const { key, name, portrait, version } = counselor;
  return (
    <section aria-label="Portrait" className="card p-5">
      <h2 className="display text-xl">Portrait</h2>
      <PictureForm
        name="portrait"
        label="New picture"
        hint="It is cut to a square; what the camera wrote into it (place, time) is removed."
        alt={`Portrait of ${name}`}
        picture={portrait}
        to={href("/admin/catalogue/captains/:key/portrait", { key })}
        version={version}
        errors={errors}
      />
    </section>
  );
}
