/** A form of one field whose address says what it asks for: a search, a month. */
import type { ReactNode } from "react";
import { Form } from "react-router";
import { askedField, type Field } from "#app/components/field.tsx";
import { useFilledForm } from "./use-filled-form.ts";

interface AskFormProps {
  name: string;
  value: string;
  button: string;
  role?: "search";
  /** The control. */
  children: (field: Field) => ReactNode;
  /** Stands beside the button. */
  beside?: ReactNode;
}

export function AskForm({ name, value, button, role, children, beside }: AskFormProps) {
  const { form, ask } = useFilledForm(value, { [name]: value });
  return (
    <Form
      ref={form}
      role={role}
      className="card mb-4 flex flex-wrap items-end gap-3 p-4"
      onSubmit={(event) => ask(String(new FormData(event.currentTarget).get(name)).trim())}
    >
      {children(askedField(name, value))}
      <button type="submit" className="button button-quiet">
        {button}
      </button>
      {beside}
    </Form>
  );
}
