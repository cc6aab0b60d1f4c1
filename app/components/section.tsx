/** A numbered section of a long form; the number becomes a tick when the section is filled. */
import type { ReactNode } from "react";
import { Icon } from "./icons.tsx";

interface SectionProps {
  id: string;
  number: number;
  title: string;
  done: boolean;
  /** Stands beside the title, for example `optional`. */
  aside?: string;
  /** Ids of what describes the group: its error. */
  describedBy?: string | undefined;
  /** Why this section comes next; takes the focus on a page that came back. */
  note?: string | null;
  className?: string;
  children: ReactNode;
}

export function FormSection({
  id,
  number,
  title,
  done,
  aside,
  describedBy,
  note,
  className = "",
  children,
}: SectionProps) {
  return (
    <fieldset
      id={id}
      aria-describedby={describedBy}
      className={`min-w-0 border-t border-line pt-6 first:border-t-0 first:pt-0 ${className}`}
    >
      <legend className="float-left mb-4 flex w-full flex-wrap items-center gap-3">
        <span
          className={`display flex size-8 items-center justify-center rounded-full border-2 text-base ${
            done ? "border-go bg-go-soft text-go" : "border-edge text-muted"
          }`}
          aria-hidden="true"
        >
          {done ? <Icon name="check" className="size-4" /> : number}
        </span>
        <span className="display text-xl">{title}</span>
        {aside && <span className="text-muted">{aside}</span>}
        {done && <span className="sr-only"> (filled in)</span>}
      </legend>
      <div className="clear-both">
        {note && (
          <p
            role="status"
            tabIndex={-1}
            // biome-ignore lint/a11y/noAutofocus: a choice made without scripts goes on here
            autoFocus
            className="mb-4 rounded-sm bg-action-soft px-3 py-2 font-semibold"
          >
            {note}
          </p>
        )}
        {children}
      </div>
    </fieldset>
  );
}
