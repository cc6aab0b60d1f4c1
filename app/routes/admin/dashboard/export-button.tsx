/** Exports the list to Excel with the filters in use, not those typed but not applied. */
import { useState } from "react";
import { href } from "react-router";
import { Icon } from "#app/components/icons.tsx";
import { showFailure, showToast } from "#app/components/toasts.tsx";
import { listHref } from "#app/routes/admin/parts/list-search.ts";
import { storedToken } from "#app/routes/admin/parts/login-card.tsx";
import { useListSearch } from "#app/routes/admin/parts/overlay.tsx";
import { EXPORT_FAILED } from "#app/routes/admin/parts/words.ts";

const FORM_ID = "export";
const MAKING = "Making the workbook…";

function filtersOf(listSearch: string): URLSearchParams {
  const filters = new URLSearchParams(listSearch);
  filters.delete("page");
  return filters;
}

/** The button's form without scripts; outside the filter form, since forms cannot be nested. */
export function ExportForm() {
  const filters = filtersOf(useListSearch());
  return (
    <form id={FORM_ID} action={href("/admin/export")}>
      {[...filters].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </form>
  );
}

export function ExportButton() {
  const search = filtersOf(useListSearch()).toString();
  /** 0 to 1, null before the first part arrives; undefined if no export is running. */
  const [progress, setProgress] = useState<number | null | undefined>();
  const [failed, setFailed] = useState(false);
  const busy = progress !== undefined;
  const run = async () => {
    if (busy) return;
    setFailed(false);
    try {
      await exportFile(search, setProgress);
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
      {/* Announced once, without the progress; the end is announced by a notification. */}
      <span role="status" className="sr-only">
        {busy && MAKING}
      </span>
      <span aria-hidden="true" className="figures text-sm text-muted empty:hidden">
        {busy && (progress === null ? MAKING : `Downloading, ${Math.round(progress * 100)}%`)}
      </span>
      {/* Stays after the notification is gone. */}
      {failed && <span className="font-semibold text-stop">Export failed</span>}
    </>
  );
}

type OnProgress = (share: number | null) => void;

/** `onProgress` gets null, then 0 to 1. Throws an Error whose message can be shown. */
async function exportFile(search: string, onProgress: OnProgress): Promise<void> {
  onProgress(null);
  // Sends the stored token, if any, like every admin call; the cookie alone is enough.
  const token = storedToken();
  const response = await fetch(listHref(href("/api/admin/export"), search), {
    headers: token ? { Authorization: `Bearer ${token}` } : {},
  }).catch(fail);
  if (!response.ok) throw new Error(await explain(response));
  const blob = await readAll(response, onProgress).catch(fail);
  save(blob, fileName(response));
}

/** Replaces the browser's message about a failed connection. */
function fail(): never {
  throw new Error(EXPORT_FAILED);
}

/** The message to show; reasons are given for 4xx responses only. */
async function explain(response: Response): Promise<string> {
  if (response.status >= 500) return EXPORT_FAILED;
  const body = (await response.json().catch(() => null)) as { message?: string } | null;
  return body?.message ? `${EXPORT_FAILED} ${body.message}` : EXPORT_FAILED;
}

async function readAll({ body, headers }: Response, onProgress: OnProgress): Promise<Blob> {
  const total = Number(headers.get("Content-Length"));
  let length = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform: (part, stream) => {
      length += part.length;
      if (total > 0) onProgress(Math.min(1, length / total));
      stream.enqueue(part);
    },
  });
  return new Response(body?.pipeThrough(counted), { headers }).blob();
}

function fileName(response: Response): string {
  const disposition = response.headers.get("Content-Disposition") ?? "";
  return /filename="([^"]+)"/.exec(disposition)?.[1] ?? "appointments_export.xlsx";
}

function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
