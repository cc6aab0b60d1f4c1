/** A form that is pressed twice, or sent again by the network, does what it asks for once. */
import type { Deps } from "#app/core/deps.server.ts";
import { once } from "#app/core/once.server.ts";
import { isId, newId } from "#app/model/ids.ts";
import { failure, type Outcome, success } from "#app/model/outcome.ts";

/** Made with the form, and sent along as `formKey`. */
export function newFormKey(): string {
  return newId();
}

const DONE_ALREADY = failure(
  "idempotency_conflict",
  "This form was sent before, with something else in it, and that was done. Please look at the booking first, and open the form anew for more.",
);

/** `call` names what is asked for, and of what; a repeat is answered with the id of the first. */
export function onceForForm<T>(
  deps: Pick<Deps, "db" | "now">,
  form: FormData,
  call: string,
  body: Record<string, unknown>,
  work: () => Outcome<T>,
  appointmentIdOf: (value: T) => string,
): Outcome<string> {
  const given = String(form.get("formKey") ?? "");
  const wish = { key: isId(given) ? given : null, call, body };
  const done = once(deps, wish, work, (value) => ({ appointmentId: appointmentIdOf(value) }));
  if (done.ok) return success(done.value.appointmentId);
  return done.code === "idempotency_conflict" ? DONE_ALREADY : done;
}
