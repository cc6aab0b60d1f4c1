/** Fetches the workbook of the filtered list and saves it. */
import { storedToken } from "#app/routes/admin/parts/login-card.tsx";

const FAILED = "Failed to export appointments data.";

/** Throws an Error whose message is fit to show. `onProgress` is told the share done, 0 to 1. */
export async function exportFile(
  search: string,
  onProgress: (share: number | null) => void,
): Promise<void> {
  onProgress(null);
  const response = await ask(search).catch(fail);
  if (!response.ok) throw new Error(await explain(response));
  const blob = await readAll(response, onProgress).catch(fail);
  save(blob, fileName(response));
}

/** The browser's own words for a broken connection help nobody. */
function fail(): never {
  throw new Error(FAILED);
}

/** The token goes along as with every admin call; the cookie alone is enough. */
function ask(search: string): Promise<Response> {
  const token = storedToken();
  return fetch(search ? `/api/admin/export?${search}` : "/api/admin/export", {
    credentials: "include",
    headers: token ? { Authorization: `Bearer ${token}` } : {},
  });
}

/** What the admin can mend is said; the rest is ours. */
async function explain(response: Response): Promise<string> {
  if (response.status >= 500) return FAILED;
  const body = (await response.json().catch(() => null)) as { message?: string } | null;
  return body?.message ? `${FAILED} ${body.message}` : FAILED;
}

async function readAll(
  response: Response,
  onProgress: (share: number | null) => void,
): Promise<Blob> {
  const total = Number(response.headers.get("Content-Length") ?? 0);
  const type = response.headers.get("Content-Type") ?? "";
  const reader = response.body?.getReader();
  if (!reader || total === 0) return response.blob();
  const parts: BlobPart[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts, { type });
    parts.push(value);
    length += value.length;
    onProgress(Math.min(1, length / total));
  }
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
