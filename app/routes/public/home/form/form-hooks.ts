/** The hooks of the booking form for its choices and the focus, and what it sends beside its fields. */
import {
  type RefObject,
  startTransition,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { HONEYPOT_FIELD } from "#app/booking/honeypot-field.ts";
import { readEntries, saveEntries } from "#app/routes/public/parts/saved-entries.ts";
import { type Choice, likelyEmail, SHOWN, TYPED } from "./fields.ts";

/** What the visitor has chosen so far, read from the form itself. */
export function useChoice(form: RefObject<HTMLFormElement | null>, first: Choice) {
  const [choice, setChoice] = useState(first);

  function change(part: Partial<Choice>) {
    setChoice((before) => ({ ...before, ...part }));
  }

  function valuesOf(fields: readonly (keyof Choice)[]): Partial<Choice> {
    const data = new FormData(form.current ?? undefined);
    return Object.fromEntries(fields.map((field) => [field, String(data.get(field) ?? "")]));
  }

  function read(fields: readonly (keyof Choice)[]) {
    if (form.current) change(valuesOf(fields));
  }

  // What was chosen before the scripts had loaded, or put back after a reload or Back. A time has no
  // control of its own until the times are there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after hydration
  useEffect(() => {
    read(SHOWN);
    const { timeSlot } = readEntries();
    if (!first.date && timeSlot) setChoice((now) => (now.date ? { ...now, timeSlot } : now));
  }, []);

  const { date, timeSlot } = choice;
  useEffect(() => {
    if (date) saveEntries({ date, timeSlot });
  }, [date, timeSlot]);

  // The control itself shows what was entered; the rest of the page may follow a frame later.
  return {
    choice,
    change,
    readForm: () => startTransition(() => read(TYPED)),
    /** What stands in the controls, perhaps not yet in `choice`. */
    readNow: (fields: readonly (keyof Choice)[] = TYPED) => valuesOf(fields),
  };
}

/**
 * A function put into the returned ref runs after the next render, when the control that it is to
 * focus is there and not inert. The control that `pending` makes inert gets the focus back afterwards.
 */
export function useFocusNext(pending: boolean): RefObject<(() => void) | null> {
  const next = useRef<(() => void) | null>(null);
  const focusedBefore = useRef<Element | null>(null);

  useLayoutEffect(() => {
    if (pending) {
      focusedBefore.current = document.activeElement;
      return;
    }
    const element = focusedBefore.current;
    focusedBefore.current = null;
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (isLost && element instanceof HTMLElement && element.isConnected) {
      element.focus({ preventScroll: true });
    }
  }, [pending]);

  useLayoutEffect(() => {
    next.current?.();
    next.current = null;
  });

  return next;
}

type Parse = typeof import("./booking-schema.ts").parseBooking;

/** What checks the form; null until it has loaded. */
export function useSchema() {
  const [parse, setParse] = useState<Parse | null>(null);

  async function loadSchema(): Promise<Parse> {
    const { parseBooking } = await import("./booking-schema.ts");
    setParse(() => parseBooking);
    return parseBooking;
  }

  return { parse, loadSchema };
}

/** Of the button that takes the address as it was probably meant. */
export const MEANT_ID = "booking-email-meant";

export type MistypedEmail = ReturnType<typeof useMistypedEmail>;

/** Asks once about each address that looks mistyped; `askedBefore` is one that the server asked about. */
export function useMistypedEmail(askedBefore: string) {
  const [meant, setMeant] = useState<string | null>(null);
  const asked = useRef(askedBefore);
  return {
    meant,
    /** True if there is a question that was not asked before. */
    ask(email: string): boolean {
      if (asked.current === email) return false;
      asked.current = email;
      const likely = likelyEmail(email);
      setMeant(likely);
      return likely !== null;
    },
    settle: () => setMeant(null),
  };
}

/** The honeypot's value for the booking call, under its name; nothing where it is empty. */
export function honeypotEntry(form: FormData): Record<string, FormDataEntryValue> {
  const value = form.get(HONEYPOT_FIELD);
  return value ? { [HONEYPOT_FIELD]: value } : {};
}
