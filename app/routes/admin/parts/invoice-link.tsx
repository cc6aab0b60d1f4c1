/** Opens an invoice in a new tab, or says that there is none. */
import type { ReactNode } from "react";
import { showToast } from "#app/components/toasts.tsx";

export const NO_INVOICE = {
  title: "Invoice Not Available",
  description: "Invoice is not available for this appointment.",
} as const;

interface InvoiceLinkProps {
  /** Null: there is none. */
  url: string | null;
  /** A page that says so where no scripts run. */
  absentTo: string;
  className: string;
  title?: string;
  "aria-label"?: string;
  children?: ReactNode;
}

export function InvoiceLink({ url, absentTo, children, ...more }: InvoiceLinkProps) {
  if (url === null) {
    return (
      <a
        href={absentTo}
        onClick={(event) => {
          event.preventDefault();
          showToast({ ...NO_INVOICE, variant: "destructive" });
        }}
        {...more}
      >
        {children}
      </a>
    );
  }
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      onClick={() => void reportFailure(url)}
      {...more}
    >
      {children}
    </a>
  );
}

/** The new tab cannot tell this one that it failed, so the file is asked for beside. */
async function reportFailure(url: string): Promise<void> {
  const response = await fetch(url, { method: "HEAD" }).catch(() => null);
  if (response?.ok) return;
  showToast(
    response?.status === 404
      ? { ...NO_INVOICE, variant: "destructive" }
      : {
          title: "Download Failed",
          description: "Failed to download invoice.",
          variant: "destructive",
        },
  );
}
