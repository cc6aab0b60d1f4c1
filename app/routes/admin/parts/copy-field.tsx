/** A line to read out, to select, or to copy by a press where scripts run. */
import { useId, useRef, useState } from "react";
import { useHydrated } from "remix-utils/use-hydrated";

export function CopyField({ label, text }: { label: string; text: string }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const hydrated = useHydrated();
  const [said, setSaid] = useState("");
  const copy = async () => {
    input.current?.select();
    try {
      await navigator.clipboard.writeText(text);
      setSaid("Copied");
    } catch {
      setSaid("It is selected: please copy it with the keyboard or the menu.");
    }
  };
  return (
    <>
      <label htmlFor={id} className="block font-semibold">
        {label}
      </label>
      <div className="mt-1 flex flex-wrap items-center gap-2">
        <input
          ref={input}
          id={id}
          readOnly
          value={text}
          onFocus={(event) => event.currentTarget.select()}
          className="input min-w-40 flex-1 font-mono text-sm"
        />
        {hydrated && (
          <button
            type="button"
            onClick={() => void copy()}
            aria-label={`Copy: ${label}`}
            className="button button-quiet"
          >
            Copy
          </button>
        )}
        <span role="status" className="text-sm">
          {said}
        </span>
      </div>
    </>
  );
}
