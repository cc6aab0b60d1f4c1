/** A notice left by the press before: a notification with scripts, a line in the page without. */

import { useEffect, useState } from "react";
import { useActionData } from "react-router";
import { useHydrated } from "remix-utils/use-hydrated";
import { Icon } from "#app/components/icons.tsx";
import { showToast } from "#app/components/toasts.tsx";

export interface Flash {
  /** Shown once, however often the page is read anew. */
  id: string;
  title: string;
  description: string;
  variant: "default" | "destructive";
}

const told = new Set<string>();

export function FlashNotice({ flash }: { flash: Flash | null }) {
  const hydrated = useHydrated();
  useEffect(() => {
    if (!flash || told.has(flash.id)) return;
    told.add(flash.id);
    showToast(flash);
  }, [flash]);
  if (!flash || hydrated) return null;
  return (
    <div className="without-scripts">
      <Notice {...flash} />
    </div>
  );
}

interface NoticeProps {
  title: string;
  description?: string | undefined;
  variant: Flash["variant"];
}

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
  /** The answer it stands in, where that is not the page's. */
  to?: unknown;
}

/**
 * What went wrong with a form: stays in the page, and is a notification too where scripts run.
 * Each answer is told, also one in the words of the answer before.
 */
export function Problem({ refusal, to }: ProblemProps) {
  const ofPage: unknown = useActionData();
  const answer = to ?? ofPage;
  const [told, setTold] = useState({ answer, number: 0 });
  if (told.answer !== answer) setTold({ answer, number: told.number + 1 });
  return refusal ? <ShownProblem key={told.number} {...refusal} /> : null;
}

function ShownProblem({ title, message }: Refusal) {
  useEffect(() => {
    showToast({ title, description: message, variant: "destructive" });
  }, [title, message]);
  return <Notice title={title} description={message} variant="destructive" />;
}
