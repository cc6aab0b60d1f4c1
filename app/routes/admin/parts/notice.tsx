/** A notice about the previous action: a notification with scripts, a line in the page without. */
import { useEffect, useState } from "react";
import { useActionData } from "react-router";
import { useHydrated } from "remix-utils/use-hydrated";
import { Icon } from "#app/components/icons.tsx";
import type { Toast } from "#app/components/toast-region.tsx";
import { showFailure, showToast } from "#app/components/toasts.tsx";

export interface Flash extends Omit<Toast, "id"> {
  /** Shown once, however often the page is reloaded. */
  id: string;
}

const shownIds = new Set<string>();

export function FlashNotice({ flash }: { flash: Flash | null }) {
  const hydrated = useHydrated();
  useEffect(() => {
    if (!flash || shownIds.has(flash.id)) return;
    shownIds.add(flash.id);
    showToast(flash);
  }, [flash]);
  if (!flash || hydrated) return null;
  return (
    // With scripts, a notification says it.
    <div className="[@media(scripting:enabled)]:hidden">
      <Notice {...flash} />
    </div>
  );
}

type NoticeProps = Pick<Flash, "title" | "variant"> & { description?: string | undefined };

export function Notice({ title, description, variant }: NoticeProps) {
  const wrong = variant === "destructive";
  return (
    <div
      role={wrong ? "alert" : "status"}
      className={`mb-4 flex gap-3 rounded-lg border-2 p-4 ${
        wrong ? "border-stop bg-stop-soft" : "border-go bg-go-soft"
      }`}
    >
      <Icon
        name={wrong ? "alert" : "check"}
        className={`mt-0.5 size-5 ${wrong ? "text-stop" : "text-go"}`}
      />
      <div className="min-w-0">
        <p className="font-semibold">{title}</p>
        {description && <p className="break-words">{description}</p>}
      </div>
    </div>
  );
}

export interface Refusal {
  title: string;
  message: string;
}

interface ProblemProps {
  refusal: Refusal | null | undefined;
  /** The response it belongs to, if not the page's. */
  to?: unknown;
}

/**
 * What went wrong with a form: stays in the page, and with scripts is a notification too. Each
 * response is announced, also one with the same text as the previous one.
 */
export function Problem({ refusal, to }: ProblemProps) {
  const ofPage: unknown = useActionData();
  const answer = to ?? ofPage;
  const [shown, setShown] = useState({ answer, number: 0 });
  if (shown.answer !== answer) setShown({ answer, number: shown.number + 1 });
  return refusal ? <ShownProblem key={shown.number} {...refusal} /> : null;
}

function ShownProblem({ title, message }: Refusal) {
  useEffect(() => showFailure(title, message), [title, message]);
  return <Notice title={title} description={message} variant="destructive" />;
}
