/** The frame of the pages that change a booking: which one it is, and what may be done. */
import type { ReactNode } from "react";
import type { BusinessView } from "#app/routes/public/parts/business-view.server.ts";
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
  /** What went wrong with the form, above everything else. */
  problem: ReactNode;
  children: ReactNode;
}

export function ChangePage({ title, view, problem, children }: ChangePageProps) {
  const { id, closed, paid, facts, business } = view;
  return (
    <PublicPage business={business}>
      <div className="mx-auto grid max-w-page gap-x-12 gap-y-6 px-4 py-8 md:px-6 lg:grid-cols-[minmax(0,20rem)_minmax(0,1fr)] lg:items-start lg:py-14">
        <div className="lg:col-start-2">
          {problem}
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
