import type { ErrorWords } from "#app/model/error-words.ts";

/** What stands behind a line in words, for whoever has to look closer. */
export function RawDetail({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <details className="text-sm text-muted">
      <summary className="link w-fit cursor-pointer py-1">Technical detail</summary>
      <pre className="whitespace-pre-wrap break-words font-mono text-xs [overflow-wrap:anywhere]">
        {text}
      </pre>
    </details>
  );
}

export function RefundError({ error }: { error: ErrorWords | null }) {
  if (!error) return null;
  return (
    <>
      <p className="break-words text-stop">{error.words}</p>
      <RawDetail text={error.raw} />
    </>
  );
}
