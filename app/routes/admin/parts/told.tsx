/** A line in words that opens to what stands behind it, for whoever has to look closer. */
import type { ErrorWords } from "#app/model/error-words.ts";

interface ToldProps {
  words: string;
  /** Null: the words are all there is. */
  raw: string | null;
  className?: string;
}

export function Told({ words, raw, className = "" }: ToldProps) {
  if (raw === null) return <p className={`break-words ${className}`}>{words}</p>;
  return (
    <details className={`min-w-0 break-words ${className}`}>
      <summary className="min-h-6 cursor-pointer">{words}</summary>
      <pre className="whitespace-pre-wrap py-1 font-mono text-sm text-muted [overflow-wrap:anywhere]">
        {raw}
      </pre>
    </details>
  );
}

export function RefundError({ error }: { error: ErrorWords | null }) {
  return error && <Told {...error} className="text-stop" />;
}
