import { useEffect, useRef } from "react";
import { ClashList } from "./clash-list.tsx";
import type { ClashView } from "./clash-views.server.ts";

interface AffectedProps {
  affected: readonly ClashView[];
  listSearch: string;
  /** Of the press that took the time away; null where no press did. */
  press: unknown;
}

/** Sessions that a change does not suit: they stay, and somebody has to act. */
export function Affected({ affected, listSearch, press }: AffectedProps) {
  const section = useRef<HTMLElement>(null);
  // The button stands far below: the list comes into view, and is read out.
  useEffect(() => {
    if (!press) return;
    section.current?.scrollIntoView({ block: "nearest" });
    section.current?.focus({ preventScroll: true });
  }, [press]);
  if (affected.length === 0) return null;
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-labelledby="affected"
      className="mb-5 scroll-mt-4 rounded-sm border-2 border-waiting bg-waiting-soft p-4"
    >
      <h2 id="affected" className="font-semibold">
        {affected.length === 1
          ? "One appointment is affected. It stays as it is:"
          : `${affected.length} appointments are affected. They stay as they are:`}
      </h2>
      <ClashList clashes={affected} listSearch={listSearch} />
    </section>
  );
}
