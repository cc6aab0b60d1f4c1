/** The ways from a booking to its files. */
import type { ReactNode } from "react";
import { href } from "react-router";
import { Icon } from "#app/components/icons.tsx";

interface DocumentLinkProps {
  to: string;
  look: "button-primary" | "button-quiet";
  children: ReactNode;
}

export function DocumentLink({ to, look, children }: DocumentLinkProps) {
  return (
    <a className={`button ${look}`} href={to} target="_blank" rel="noopener">
      {children}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}

/** Of a paid session. */
export function InvoiceAndCalendar({ id, invoice }: { id: string; invoice: boolean }) {
  return (
    <>
      {invoice && (
        <DocumentLink to={href("/api/invoice/:id", { id })} look="button-primary">
          <Icon name="download" />
          Download Invoice
        </DocumentLink>
      )}
      <a className="button button-quiet" href={href("/booking/:id/calendar.ics", { id })}>
        <Icon name="calendar" />
        Add to calendar
      </a>
    </>
  );
}
