/** Form controls bound to Conform, in one place: label, hint, control, error, in reading order. */
import { type FieldMetadata, getInputProps, getTextareaProps } from "@conform-to/react";
import type { ReactNode } from "react";
import { Icon } from "#app/components/icons.tsx";

export function FieldError({ id, errors }: { id: string; errors: string[] | undefined }) {
  if (!errors?.length) return null;
  return (
    <p id={id} className="mt-1.5 flex gap-1.5 font-medium text-stop">
      <Icon name="alert" className="mt-0.5 size-5" />
      {errors[0]}
    </p>
  );
}

/** What a screen reader adds to the control's name: the hint, then the error. */
function describedBy(field: FieldMetadata<string | undefined>, hasHint: boolean) {
  const ids = [hasHint && `${field.id}-hint`, field.errors && field.errorId].filter(Boolean);
  return ids.length > 0 ? ids.join(" ") : undefined;
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
  const { key, ...input } = getInputProps(field, { type });
  return (
    <div>
      <label htmlFor={field.id} className="block font-semibold">
        {label}
      </label>
      {hint && (
        <p id={`${field.id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      <input
        key={key}
        {...input}
        {...more}
        required={required}
        // biome-ignore lint/a11y/noAutofocus: the first wrong field takes focus on a page that came back
        autoFocus={autoFocus}
        className="input mt-1.5"
        aria-describedby={describedBy(field, Boolean(hint))}
      />
      <FieldError id={field.errorId} errors={field.errors} />
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
  return (
    <div>
      <label htmlFor={field.id} className="block font-semibold">
        {label}
      </label>
      {hint && (
        <p id={`${field.id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      <select
        key={field.key}
        id={field.id}
        name={field.name}
        form={field.formId}
        defaultValue={field.initialValue ?? ""}
        aria-invalid={field.errors ? true : undefined}
        aria-describedby={describedBy(field, Boolean(hint))}
        className="input mt-1.5"
      >
        <option value="">{emptyLabel}</option>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      <FieldError id={field.errorId} errors={field.errors} />
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
  const { key, ...textarea } = getTextareaProps(field);
  return (
    <div>
      <label htmlFor={field.id} className="block font-semibold">
        {label}
      </label>
      {hint && (
        <p id={`${field.id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      <textarea
        key={key}
        {...textarea}
        rows={3}
        maxLength={maxLength}
        aria-describedby={describedBy(field, Boolean(hint))}
        className="input mt-1.5"
      />
      <FieldError id={field.errorId} errors={field.errors} />
    </div>
  );
}
