/** Facts of a session, contact links, errors with details, an address to copy. */
import { useId, useRef, useState } from "react";
import { useHydrated } from "remix-utils/use-hydrated";
import type { ErrorWords } from "#app/model/error-words.ts";
import { telLink } from "#app/model/tel-link.ts";
import { StatusBadge } from "./session-parts.tsx";
import type { SessionView } from "./views.server.ts";

export function SessionFacts({ session }: { session: SessionView }) {
  return (
    <Facts
      facts={[
        ["Customer", session.name],
        ["Date", session.date],
        ["Time", `${session.time}, ${session.minutes} minutes`],
        ["Counselor", session.counselor],
        [
          "Status",
          <span key="status" className="flex flex-wrap items-center gap-x-2">
            <StatusBadge status={session.status} />
            {session.note && <span className="text-muted">{session.note}</span>}
          </span>,
        ],
      ]}
    />
  );
}

interface FactsProps {
  /** Facts without a value are left out. */
  facts: readonly (readonly [label: string, value: React.ReactNode])[];
}

export function Facts({ facts }: FactsProps) {
  const known = facts.filter(([, value]) => value || value === 0);
  return (
    <dl className="figures grid grid-cols-1 min-[22rem]:grid-cols-[7rem_minmax(0,1fr)] sm:grid-cols-[8rem_minmax(0,1fr)] gap-x-4 gap-y-1.5">
      {known.map(([label, value]) => (
        <div key={label} className="contents">
          <dt className="text-muted">{label}</dt>
          <dd className="break-words font-medium">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function ContactLinks({ email, phone }: { email: string | null; phone: string | null }) {
  return (
    <p className="flex flex-wrap gap-x-4">
      {email && (
        <a href={`mailto:${email}`} className="link [overflow-wrap:anywhere]">
          {email}
        </a>
      )}
      {phone && (
        <a href={telLink(phone)} className="link figures">
          {phone}
        </a>
      )}
    </p>
  );
}

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

/** A list item about removing data: messages that are sent before. */
export function DueFirst({ due }: { due: readonly string[] }) {
  if (due.length === 0) return null;
  return (
    <li>
      <strong>Still on its way, and sent first:</strong> {due.join("; ")}. It is tried for three
      days at most, and removed as soon as it has gone.
    </li>
  );
}

interface KeptProps {
  /** Null without documents. */
  kept: string | null;
  documents: readonly string[];
}

/** A list item about removing data: what stays, and until when. */
export function KeptByLaw({ kept, documents }: KeptProps) {
  if (!kept) return <li>No invoice was issued, so nothing has to be kept by law.</li>;
  return (
    <li>
      <strong>Kept, as tax law demands, {kept}:</strong> {documents.join(", ")}, with number, date,
      amounts, tax, the payment’s ID and reference, and name, GSTIN and address as printed. None of
      them is deleted automatically.
    </li>
  );
}

interface ExpandableProps {
  words: string;
  /** Null without details. */
  raw: string | null;
  className?: string;
}

export function Expandable({ words, raw, className = "" }: ExpandableProps) {
  if (raw === null) return <p className={`wrap-anywhere ${className}`}>{words}</p>;
  return (
    <details className={`min-w-0 wrap-anywhere ${className}`}>
      <summary className="min-h-6 cursor-pointer">{words}</summary>
      <pre className="whitespace-pre-wrap py-1 font-mono text-sm text-muted">{raw}</pre>
    </details>
  );
}

export function RefundError({ error }: { error: ErrorWords | null }) {
  return error && <Expandable {...error} className="text-stop" />;
}
