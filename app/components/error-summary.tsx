/** What is wrong, at the head of the form, each line a link to its field. */
import { Icon } from "./icons.tsx";

export interface ErrorLine {
  /** Id of the element to go to. */
  target: string;
  text: string;
}

interface ErrorSummaryProps {
  title: string;
  text?: string | null;
  lines: readonly ErrorLine[];
  autoFocus?: boolean;
}

const SUMMARY_ID = "form-errors";

export function focusErrorSummary(): void {
  document.getElementById(SUMMARY_ID)?.focus();
}

export function ErrorSummary({ title, text, lines, autoFocus }: ErrorSummaryProps) {
  return (
    <div
      role="alert"
      tabIndex={-1}
      id={SUMMARY_ID}
      // biome-ignore lint/a11y/noAutofocus: what is wrong is read first on a page that came back
      autoFocus={autoFocus}
      className="mb-8 rounded-lg border-2 border-stop bg-stop-soft p-5"
    >
      <p className="display flex items-center gap-2 text-lg text-stop">
        <Icon name="alert" className="size-6" />
        {title}
      </p>
      {text && <p className="mt-1">{text}</p>}
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
