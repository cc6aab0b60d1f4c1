/** What went wrong, for refusals that belong to no field, and links to those that do. */
import type { SubmissionResult } from "@conform-to/react";
import { ErrorSummary } from "#app/components/error-summary.tsx";

interface FormProblemProps {
  reply: SubmissionResult<string[]> | null;
  notice: { title: string; text: string } | null;
  /** Field → id of the element that an error's line leads to. */
  targets: Readonly<Record<string, string>>;
}

export function FormProblem({ reply, notice, targets }: FormProblemProps) {
  const lines = Object.entries(targets).flatMap(([field, target]) => {
    const text = reply?.error?.[field]?.[0];
    return text ? [{ target, text }] : [];
  });
  if (lines.length === 0 && !notice) return null;
  return (
    <ErrorSummary
      title={notice?.title ?? "Please check this"}
      text={notice?.text ?? null}
      lines={lines}
    />
  );
}
