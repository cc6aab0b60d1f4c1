/** Form controls, each with label, hint, control and error in reading order. */
import { type ComponentProps, type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { useHydrated } from "remix-utils/use-hydrated";
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

/** What a control needs of its field: one of Conform, or one made by `askedField`. */
export interface Field {
  id: string;
  errorId: string;
  name: string;
  key?: string | undefined;
  formId?: string | undefined;
  errors?: string[] | undefined;
  initialValue?: string | undefined;
}

/** A field without errors, for a form submitted by GET. */
export function askedField(name: string, initialValue: string): Field {
  return { id: `ask-${name}`, errorId: `ask-${name}-error`, name, initialValue };
}

/** A field of a nested schema, under the plain name that its form submits. */
export function sentAs({ id, errorId, key, formId, errors, initialValue }: Field, name: string) {
  return { id, errorId, key, formId, errors, initialValue, name };
}

interface Frame {
  field: Field;
  label: string;
  hint?: ReactNode;
  className?: string | undefined;
}

interface Filled {
  /** The value to show; when it changes, the control is filled again. */
  shown?: string | undefined;
}

type ControlProps = Pick<
  ComponentProps<"input">,
  "id" | "name" | "form" | "aria-invalid" | "aria-describedby"
>;

interface FieldFrameProps extends Frame {
  after?: ReactNode;
  children: (control: ControlProps) => ReactNode;
}

export function FieldFrame({ field, label, hint, className, after, children }: FieldFrameProps) {
  // Read once: Conform computes a field's metadata on each access.
  const { id, errorId, errors } = field;
  const hintId = `${id}-hint`;
  // What a screen reader adds to the control's name: the hint, then the error.
  const describedBy = [hint && hintId, errors && errorId].filter(Boolean).join(" ");
  return (
    <div className={className}>
      <label htmlFor={id} className="block font-semibold">
        {label}
      </label>
      {hint && (
        <p id={hintId} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {children({
        id,
        name: field.name,
        form: field.formId,
        "aria-invalid": errors ? true : undefined,
        "aria-describedby": describedBy || undefined,
      })}
      <FieldError id={errorId} errors={errors} />
      {after}
    </div>
  );
}

type TextFieldProps = Frame & Filled & Omit<ComponentProps<"input">, "id" | "name" | "form">;

/** `children` come after the error. Without `autoFocus`, an invalid field takes the focus. */
export function TextField({
  field,
  label,
  hint,
  className,
  shown,
  children,
  autoFocus,
  ...input
}: TextFieldProps) {
  return (
    <FieldFrame field={field} label={label} hint={hint} className={className} after={children}>
      {(control) => (
        <input
          key={`${field.key} ${shown}`}
          defaultValue={shown ?? field.initialValue}
          {...control}
          {...input}
          // biome-ignore lint/a11y/noAutofocus: the first wrong field takes focus on a page that came back
          autoFocus={autoFocus ?? control["aria-invalid"] === true}
          className="input mt-1.5"
        />
      )}
    </FieldFrame>
  );
}

export function EmailField(props: TextFieldProps) {
  return (
    <TextField type="email" inputMode="email" autoComplete="email" maxLength={254} {...props} />
  );
}

interface SelectFieldProps
  extends Frame,
    Pick<ComponentProps<"select">, "defaultValue" | "onChange"> {
  options: readonly (readonly [value: string, label: string])[];
}

export function SelectField({ options, defaultValue, onChange, ...frame }: SelectFieldProps) {
  return (
    <FieldFrame {...frame}>
      {(control) => (
        <select
          key={frame.field.key}
          {...control}
          defaultValue={defaultValue ?? frame.field.initialValue ?? ""}
          onChange={onChange}
          className="input mt-1.5"
        >
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  );
}

interface TextAreaFieldProps extends Frame, Filled {
  maxLength: number;
  rows?: number;
  /** Keeps the typed text also when another form replaces this one. */
  keepsTyped?: boolean;
}

export function TextAreaField(props: TextAreaFieldProps) {
  const { shown, maxLength, rows = 3, keepsTyped = false, ...frame } = props;
  const { field } = frame;
  const box = useTypedBefore(field.id, keepsTyped);
  return (
    <FieldFrame {...frame}>
      {(control) => (
        <textarea
          key={`${field.key} ${shown}`}
          ref={box}
          {...control}
          defaultValue={shown ?? field.initialValue}
          rows={rows}
          maxLength={maxLength}
          className="input mt-1.5"
        />
      )}
    </FieldFrame>
  );
}

/** React refills a text area when it hydrates the page; text typed before is put back. */
function useTypedBefore(id: string, keepsTyped: boolean) {
  const box = useRef<HTMLTextAreaElement>(null);
  const isHydrated = useHydrated();
  const [typed] = useState(() => {
    if (typeof document === "undefined" || (isHydrated && !keepsTyped)) return null;
    const before = document.querySelector<HTMLTextAreaElement>(`textarea#${CSS.escape(id)}`);
    return before && before.value !== before.defaultValue ? before.value : null;
  });
  useLayoutEffect(() => {
    if (box.current && typed !== null) box.current.value = typed;
  }, [typed]);
  return box;
}
