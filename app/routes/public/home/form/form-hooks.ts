/** The booking form's hooks for entries, schema, time and mistyped addresses. */
import { type RefObject, startTransition, useEffect, useMemo, useRef, useState } from "react";
import { HONEYPOT_FIELD } from "#app/booking/honeypot-field.ts";
import { HOUR } from "#app/model/dates.ts";
import type { Offer } from "#app/routes/public/home/home-view.server.ts";
import { readEntries, saveEntries } from "#app/routes/public/parts/saved-entries.ts";
import { type Choice, likelyEmail, SHOWN, TYPED } from "./fields.ts";

/** With the code that the form's own script runs before the page is alive. */
type WithEntries = Window & { keepEntries?: () => void };

/** The visitor's entries so far, read from the form itself. */
export function useChoice(form: RefObject<HTMLFormElement | null>, first: Choice, offer: Offer) {
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

  // Entries made before the scripts had loaded, or restored after a reload or Back. A time has no
  // control of its own until the times have loaded.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after hydration
  useEffect(() => {
    // A page that was altered before, as by a translation, is drawn anew with another form.
    if (form.current && !("isKept" in form.current)) (window as WithEntries).keepEntries?.();
    read(SHOWN);
    const { timeSlot } = readEntries();
    if (!first.date && timeSlot) setChoice((now) => (now.date ? { ...now, timeSlot } : now));
  }, []);

  // A radio stays checked when the owner renames its captain.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the offer is another
  useEffect(() => read(TYPED), [offer]);

  const { date, timeSlot } = choice;
  useEffect(() => {
    if (date) saveEntries({ date, timeSlot });
  }, [date, timeSlot]);

  // The control itself shows the entry; the rest of the page may follow a frame later.
  return {
    choice,
    change,
    readForm: () => startTransition(() => read(TYPED)),
    /** The values of the controls, which may be newer than `choice`. */
    readNow: (fields: readonly (keyof Choice)[] = TYPED) => valuesOf(fields),
  };
}

type Parse = typeof import("./booking-schema.ts").parseBooking;

/** `parse` checks the form; it is null until loaded. */
export function useSchema() {
  const [parse, setParse] = useState<Parse | null>(null);

  async function loadSchema(): Promise<Parse> {
    const { parseBooking } = await import("./booking-schema.ts");
    setParse(() => parseBooking);
    return parseBooking;
  }

  return { parse, loadSchema };
}

/** A page may be shown again for so long after it was made. */
const KEPT_MS = HOUR / 2;

/** The present time, also on a device with a wrong clock: counted on from when the page was made. */
export function useNow(madeAt: number, hydrated: boolean): number {
  const [first] = useState(madeAt);
  const wrongBy = useMemo(() => {
    const ahead = Date.now() - madeAt;
    const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    // A page that the browser had stored may be older than any that the server keeps.
    const isStored =
      madeAt === first && (visit?.type === "back_forward" || visit?.transferSize === 0);
    return isStored ? Math.min(ahead, 0) : Math.min(ahead, Math.max(0, ahead - KEPT_MS));
  }, [madeAt, first]);
  return hydrated ? Date.now() - wrongBy : madeAt;
}

/** Id of the button that accepts the suggested address. */
export const MEANT_ID = "booking-email-meant";

/** Asks once about each address that looks mistyped; the server has asked about `askedBefore`. */
export function useMistypedEmail(askedBefore: string) {
  const [meant, setMeant] = useState<string | null>(null);
  const asked = useRef(askedBefore);
  return {
    meant,
    /** True if this is a new question. */
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

/** The honeypot's value by its field name; an empty object if it is empty. */
export function honeypotEntry(form: FormData): Record<string, FormDataEntryValue> {
  const value = form.get(HONEYPOT_FIELD);
  return value ? { [HONEYPOT_FIELD]: value } : {};
}
