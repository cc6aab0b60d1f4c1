/** The errors at the top of a form. */
import type { SubmissionResult } from "@conform-to/react";
import { Icon } from "#app/components/icons.tsx";

export interface Notice {
  title: string;
  text: string;
}

interface FormProblemProps {
  /** Shown unless there is a notice. */
  title?: string;
  /** A problem that concerns no single field. */
  notice: Notice | null | undefined;
  lines?: ReturnType<typeof problemLines>;
  /** Takes the focus on a page that came back. */
  autoFocus?: boolean;
}

const PROBLEM_ID = "form-errors";

export function focusFormProblem(): void {
  document.getElementById(PROBLEM_ID)?.focus();
}

/** Shows nothing without errors. Each line links to its field. */
export function FormProblem(props: FormProblemProps) {
  const { title = "Please check this", notice, lines = [], autoFocus = true } = props;
  if (lines.length === 0 && !notice) return null;
  return (
    <div
      role="alert"
      tabIndex={-1}
      id={PROBLEM_ID}
      // biome-ignore lint/a11y/noAutofocus: what is wrong is read first on a page that came back
      autoFocus={autoFocus}
      className="mb-8 rounded-lg border-2 border-stop bg-stop-soft p-5"
    >
      <p className="display flex items-center gap-2 text-lg text-stop">
        <Icon name="alert" className="size-6" />
        {notice?.title ?? title}
      </p>
      {notice && <p className="mt-1">{notice.text}</p>}
      {lines.length > 0 && (
        <ul className="mt-2 list-disc pl-6">
          {lines.map((line) => (
            <li key={line.target} className="py-0.5">
              <a className="link font-medium" href={`#${line.target}`}>
                {line.text}
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

export type Errors = SubmissionResult<string[]>["error"] | undefined;

/** A line with the first error of each field. `targets`: field → id of the element to link to. */
export function problemLines(errors: Errors, targets: Readonly<Record<string, string>>) {
  return Object.entries(targets).flatMap(([field, target]) => {
    const text = errors?.[field]?.[0];
    return text ? [{ target, text }] : [];
  });
}
