/** The field of `app/booking/honeypot.server.ts`: hidden from people and screen readers, not from programs. */
import { HONEYPOT_FIELD } from "#app/booking/honeypot-field.ts";

export function Honeypot() {
  return (
    <div inert aria-hidden="true" className="absolute -left-[200vw] h-px w-px overflow-hidden">
      <label>
        Leave this empty
        <input
          type="text"
          name={HONEYPOT_FIELD}
          tabIndex={-1}
          autoComplete="off"
          data-1p-ignore
          data-lpignore="true"
        />
      </label>
    </div>
  );
}

/** The field's value, for the booking call. */
export function readHoneypot(form: FormData): Record<string, FormDataEntryValue> {
  const value = form.get(HONEYPOT_FIELD);
  return value ? { [HONEYPOT_FIELD]: value } : {};
}
