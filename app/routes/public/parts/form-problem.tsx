/** What went wrong with a form: what belongs to no field, and links to the fields that are wrong. */
import type { SubmissionResult } from "@conform-to/react";
import { type ErrorLine, ErrorSummary } from "#app/components/error-summary.tsx";

interface FormProblemProps {
  title: string;
  /** Takes the title's place. */
  notice: { title: string; text: string } | null;
  lines: readonly ErrorLine[];
  /** Takes the focus on a page that came back. */
  autoFocus?: boolean;
}

export function FormProblem({ title, notice, lines, autoFocus = false }: FormProblemProps) {
  if (lines.length === 0 && !notice) return null;
  return (
    <ErrorSummary
      title={notice?.title ?? title}
      text={notice?.text ?? null}
      lines={lines}
      autoFocus={autoFocus}
    />
  );
}

/** A line for the first error of each field. `targets`: field → id of the element it leads to. */
export function problemLines(
  errors: SubmissionResult<string[]>["error"] | undefined,
  targets: Readonly<Record<string, string>>,
): ErrorLine[] {
  return Object.entries(targets).flatMap(([field, target]) => {
    const text = errors?.[field]?.[0];
    return text ? [{ target, text }] : [];
  });
}
