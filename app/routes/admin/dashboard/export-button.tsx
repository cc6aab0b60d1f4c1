/** Export Excel: of the list as it is filtered, whatever stands in the filters' form by now. */
import { useState } from "react";
import { href } from "react-router";
import { Icon } from "#app/components/icons.tsx";
import { showFailure, showToast } from "#app/components/toasts.tsx";
import { exportFile } from "./export-file.ts";

const FORM_ID = "export";
const MAKING = "Making the workbook…";

function filtersOf(listSearch: string): URLSearchParams {
  const filters = new URLSearchParams(listSearch);
  filters.delete("page");
  return filters;
}

/** What the button sends without scripts. A form holds no other, so it stands beside the filters'. */
export function ExportForm({ listSearch }: { listSearch: string }) {
  return (
    <form id={FORM_ID} action={href("/admin/export")}>
      {[...filtersOf(listSearch)].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </form>
  );
}

export function ExportButton({ listSearch }: { listSearch: string }) {
  /** The share done, null before the first part; undefined while nothing is exported. */
  const [progress, setProgress] = useState<number | null | undefined>();
  const [failed, setFailed] = useState(false);
  const busy = progress !== undefined;
  const run = async () => {
    if (busy) return;
    setFailed(false);
    try {
      await exportFile(filtersOf(listSearch).toString(), setProgress);
      showToast({
        title: "Export Successful",
        description: "The appointments data has been exported.",
        variant: "default",
      });
    } catch (error) {
      setFailed(true);
      showFailure("Export Failed", (error as Error).message);
    } finally {
      setProgress(undefined);
    }
  };
  return (
    <>
      <button
        type="submit"
        form={FORM_ID}
        className="button button-quiet max-sm:grow"
        aria-busy={busy || undefined}
        aria-disabled={busy || undefined}
        onClick={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <Icon name="download" />
        Export Excel
      </button>
      {/* Expandable once: the end is a notification, and each share would be read out. */}
      <span role="status" className="sr-only">
        {busy && MAKING}
      </span>
      <span aria-hidden="true" className="figures text-sm text-muted empty:hidden">
        {busy && (progress === null ? MAKING : `Downloading, ${Math.round(progress * 100)}%`)}
      </span>
      {/* Stays when the notification has gone. */}
      {failed && <span className="font-semibold text-stop">Export failed</span>}
    </>
  );
}
