/** The frame of the pages that change a booking: which one it is, and what may be done. */
import type { SubmissionResult } from "@conform-to/react";
import { type ReactNode, useEffect } from "react";
import { focusErrorSummary } from "#app/components/error-summary.tsx";
import type { BusinessView } from "#app/routes/public/parts/business-view.server.ts";
import { FormProblem, problemLines } from "#app/routes/public/parts/form-problem.tsx";
import { PublicPage } from "#app/routes/public/parts/public-page.tsx";
import { type BookingFacts, BookingFactsCard } from "./booking-facts.tsx";
import { Closed, type ClosedReason } from "./closed.tsx";

export interface ChangeView {
  id: string;
  version: number;
  paid: boolean;
  facts: BookingFacts;
  emailHint: string;
  /** Null while the booking may be changed here. */
  closed: ClosedReason | null;
  /** Until when it may be, worded. */
  until: string;
  cutoffHours: number;
  payMinutes: number;
  business: BusinessView;
}

interface ChangePageProps {
  title: string;
  view: ChangeView;
  /** Why the form came back. */
  refusal: Refusal | undefined;
  /** Field → id of the element that its line leads to. */
  targets: Readonly<Record<string, string>>;
  children: ReactNode;
}

interface Refusal {
  reply: SubmissionResult<string[]>;
  notice: { title: string; text: string } | null;
}

export function ChangePage({ title, view, refusal, targets, children }: ChangePageProps) {
  const { id, closed, paid, facts, business } = view;
  // After the wrong field, which Conform gives it to, and also if it was refused before.
  useEffect(() => {
    if (refusal) focusErrorSummary();
  }, [refusal]);
  return (
    <PublicPage business={business}>
      <div className="mx-auto grid max-w-page gap-x-12 gap-y-6 px-4 py-8 md:px-6 lg:grid-cols-[minmax(0,20rem)_minmax(0,1fr)] lg:items-start lg:py-14">
        <div className="lg:col-start-2">
          {refusal && (
            <FormProblem
              title="Please check this"
              notice={refusal.notice}
              lines={problemLines(refusal.reply.error, targets)}
              autoFocus
            />
          )}
          <h1 className="display text-2xl md:text-3xl">{title}</h1>
        </div>
        <div className="lg:col-start-1 lg:row-span-2 lg:row-start-1">
          <BookingFactsCard facts={facts} open={closed === null} />
        </div>
        <div className="min-w-0 lg:col-start-2">
          {closed ? (
            <Closed
              id={id}
              closed={closed}
              paid={paid}
              shortId={facts.shortId}
              business={business}
            />
          ) : (
            children
          )}
        </div>
      </div>
    </PublicPage>
  );
}
