/** A field of the admin forms: label, hint, control, error, in reading order. */
import { type ComponentProps, type ReactNode, useId } from "react";
import { FieldError } from "#app/components/field.tsx";
import type { FieldErrors } from "#app/model/outcome.ts";

interface TextFieldProps extends ComponentProps<"input"> {
  name: string;
  label: string;
  hint?: ReactNode;
  errors?: FieldErrors | undefined;
}

export function AdminField({
  name,
  label,
  hint,
  errors,
  className = "",
  ...input
}: TextFieldProps) {
  const id = useId();
  const wrong = errors?.[name];
  const describedBy = [hint && `${id}-hint`, wrong && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className={className}>
      <label htmlFor={id} className="block font-semibold">
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      <input
        id={id}
        name={name}
        className="input mt-1"
        aria-invalid={wrong ? true : undefined}
        aria-describedby={describedBy || undefined}
        {...input}
      />
      <FieldError id={`${id}-error`} errors={wrong} />
    </div>
  );
}

interface SelectProps extends ComponentProps<"select"> {
  name: string;
  label: string;
  options: readonly (readonly [value: string, label: string])[];
  errors?: FieldErrors | undefined;
}

export function AdminSelect({
  name,
  label,
  options,
  errors,
  className = "",
  ...select
}: SelectProps) {
  const id = useId();
  const wrong = errors?.[name];
  return (
    <div className={className}>
      <label htmlFor={id} className="block font-semibold">
        {label}
      </label>
      <select
        id={id}
        name={name}
        className="input mt-1"
        aria-invalid={wrong ? true : undefined}
        aria-describedby={wrong ? `${id}-error` : undefined}
        {...select}
      >
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      <FieldError id={`${id}-error`} errors={wrong} />
    </div>
  );
}

/** One field for the six digits: it pastes and fills itself; the six boxes lie behind it. */
export function CodeField({
  name,
  label,
  errors,
}: {
  name: string;
  label: string;
  errors?: FieldErrors | undefined;
}) {
  const id = useId();
  const wrong = errors?.[name];
  return (
    <div>
      <label htmlFor={id} className="block font-semibold">
        {label}
      </label>
      <div className="code-boxes mt-2">
        <i aria-hidden="true">
          {["1", "2", "3", "4", "5", "6"].map((box) => (
            <b key={box} />
          ))}
        </i>
        <input
          id={id}
          name={name}
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="[0-9]{6}"
          maxLength={6}
          spellCheck={false}
          // biome-ignore lint/a11y/noAutofocus: the step consists of this field
          autoFocus
          aria-invalid={wrong ? true : undefined}
          aria-describedby={wrong ? `${id}-error` : undefined}
          onPaste={(event) => {
            // A code is copied with what stands around it; `maxLength` would cut the wrong end.
            const digits = event.clipboardData.getData("text").replace(/\D/g, "");
            if (digits.length !== 6) return;
            event.preventDefault();
            event.currentTarget.value = digits;
          }}
        />
      </div>
      <FieldError id={`${id}-error`} errors={wrong} />
    </div>
  );
}
