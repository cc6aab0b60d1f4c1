/** The customer's own page, to open, and its address to read out or to send. */
import { CopyField } from "#app/routes/admin/parts/copy-field.tsx";

export function BookingPage({ url }: { url: string }) {
  return (
    <div className="mt-3 grid gap-2">
      <a
        href={url}
        target="_blank"
        rel="noreferrer"
        className="button button-small button-quiet justify-self-start"
      >
        Open the customer&apos;s page
      </a>
      <div>
        <CopyField label="Address of the customer's page" text={url} />
      </div>
      <p className="text-sm text-muted">
        Whoever has it can see and change the booking: give it to the customer alone.
      </p>
    </div>
  );
}
