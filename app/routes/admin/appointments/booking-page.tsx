/** The customer's own page, to open, and its address to read out or to send. */
import { useState } from "react";
import { useHydrated } from "remix-utils/use-hydrated";
import { askedField, TextField } from "#app/components/field.tsx";
import { showToast } from "#app/components/toasts.ts";

const COPIED = {
  title: "Link Copied",
  description: "The address of the customer's page can be pasted now.",
  variant: "default",
} as const;

export function BookingPage({ url }: { url: string }) {
  const hydrated = useHydrated();
  const [refused, setRefused] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url);
      showToast(COPIED);
    } catch {
      // Not allowed, or not a secure page: then it is copied from the field.
      setRefused(true);
    }
  };
  return (
    <div className="mt-3 grid gap-2">
      <div className="flex flex-wrap items-center gap-3">
        <a href={url} target="_blank" rel="noreferrer" className="button button-small button-quiet">
          Open the customer&apos;s page
        </a>
        {hydrated && !refused && (
          <button type="button" onClick={copy} className="button button-small button-quiet">
            Copy link
          </button>
        )}
      </div>
      {(!hydrated || refused) && (
        <div className={refused ? undefined : "without-scripts"}>
          <TextField
            field={askedField("customer-page", url)}
            label="Address of the customer's page"
            hint="Whoever has it can see and change the booking: give it to the customer alone."
            readOnly
            onFocus={(event) => event.currentTarget.select()}
          />
        </div>
      )}
    </div>
  );
}
