/** Form controls bound to Conform, in one place: label, hint, control, error, in reading order. */
import type { FieldMetadata } from "@conform-to/react";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { Icon } from "./icons.tsx";

export function FieldError({ id, errors }: { id: string; errors: string[] | undefined }) {
  if (!errors?.length) return null;
  return (
    <p id={id} className="mt-1.5 flex gap-1.5 font-medium text-stop">
      <Icon name="alert" className="mt-0.5 size-5" />
      {errors[0]}
    </p>
  );
}

/** Read once: Conform makes a field's facts anew each time one is asked for. */
function factsOf(field: FieldMetadata<string | undefined>, hint: ReactNode) {
  const { id, errorId, errors } = field;
  const hintId = `${id}-hint`;
  // What a screen reader adds to the control's name: the hint, then the error.
  const ids = [hint && hintId, errors && errorId].filter(Boolean);
  return { id, hintId, errorId, errors, describedBy: ids.length > 0 ? ids.join(" ") : undefined };
}

interface TextFieldProps {
  field: FieldMetadata<string | undefined>;
  label: string;
  hint?: ReactNode;
  type: "text" | "email" | "tel";
  autoComplete: string;
  inputMode?: "email" | "tel";
  maxLength: number;
  required?: boolean;
  autoFocus?: boolean;
  children?: ReactNode;
}

export function TextField({
  field,
  label,
  hint,
  type,
  required = true,
  autoFocus = false,
  children,
  ...more
}: TextFieldProps) {
  const { id, hintId, errorId, errors, describedBy } = factsOf(field, hint);
  return (
    <div>
      <label htmlFor={id} className="block font-semibold">
        {label}
      </label>
      {hint && (
        <p id={hintId} className="text-sm text-muted">
          {hint}
        </p>
      )}
      <input
        key={field.key}
        id={id}
        name={field.name}
        form={field.formId}
        type={type}
        defaultValue={field.initialValue}
        aria-invalid={errors ? true : undefined}
        {...more}
        required={required}
        // biome-ignore lint/a11y/noAutofocus: the first wrong field takes focus on a page that came back
        autoFocus={autoFocus}
        className="input mt-1.5"
        aria-describedby={describedBy}
      />
      <FieldError id={errorId} errors={errors} />
      {children}
    </div>
  );
}

interface SelectFieldProps {
  field: FieldMetadata<string | undefined>;
  label: string;
  hint?: ReactNode;
  options: readonly (readonly [value: string, label: string])[];
  emptyLabel: string;
}

export function SelectField({ field, label, hint, options, emptyLabel }: SelectFieldProps) {
  const { id, hintId, errorId, errors, describedBy } = factsOf(field, hint);
  return (
    <div>
      <label htmlFor={id} className="block font-semibold">
        {label}
      </label>
      {hint && (
        <p id={hintId} className="text-sm text-muted">
          {hint}
        </p>
      )}
      <select
        key={field.key}
        id={id}
        name={field.name}
        form={field.formId}
        defaultValue={field.initialValue ?? ""}
        aria-invalid={errors ? true : undefined}
        aria-describedby={describedBy}
        className="input mt-1.5"
      >
        <option value="">{emptyLabel}</option>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      <FieldError id={errorId} errors={errors} />
    </div>
  );
}

interface TextAreaFieldProps {
  field: FieldMetadata<string | undefined>;
  label: string;
  hint?: ReactNode;
  maxLength: number;
}

export function TextAreaField({ field, label, hint, maxLength }: TextAreaFieldProps) {
  const { id, hintId, errorId, errors, describedBy } = factsOf(field, hint);
  const box = useTypedBefore(id);
  return (
    <div>
      <label htmlFor={id} className="block font-semibold">
        {label}
      </label>
      {hint && (
        <p id={hintId} className="text-sm text-muted">
          {hint}
        </p>
      )}
      <textarea
        key={field.key}
        ref={box}
        id={id}
        name={field.name}
        form={field.formId}
        defaultValue={field.initialValue}
        aria-invalid={errors ? true : undefined}
        rows={3}
        maxLength={maxLength}
        aria-describedby={describedBy}
        className="input mt-1.5"
      />
      <FieldError id={errorId} errors={errors} />
    </div>
  );
}

/** React fills a text area anew as it takes the page over; what was typed by then is put back. */
function useTypedBefore(id: string) {
  const box = useRef<HTMLTextAreaElement>(null);
  const [typed] = useState(() => {
    if (typeof document === "undefined") return null;
    return document.querySelector<HTMLTextAreaElement>(`textarea#${CSS.escape(id)}`)?.value ?? null;
  });
  useLayoutEffect(() => {
    if (box.current && typed !== null) box.current.value = typed;
  }, [typed]);
  return box;
}
