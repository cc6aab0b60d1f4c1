/** A session as a boarding pass; beside the booking form it shows what is chosen so far. */
import type { ReactNode } from "react";
import { useHydrated } from "remix-utils/use-hydrated";
import { BrandLogo, useBrand } from "#app/components/brand.tsx";
import { Icon, type IconName } from "#app/components/icons.tsx";
import { GST_LABEL, type PriceWords } from "#app/model/money.ts";
import { ownTimeOf } from "./own-time.tsx";

const STAMP_CLASS = {
  waiting: "text-waiting-ink",
  go: "text-go",
  stop: "text-stop",
  plain: "text-muted",
};

export type StampTone = keyof typeof STAMP_CLASS;

export interface PassProps {
  title: string;
  headingLevel?: 2 | 3;
  /** Formatted texts; null shows dashes. */
  name: string | null;
  captain: string | null;
  date: string | null;
  /** Clock times in India. */
  starts: string | null;
  ends: string | null;
  /** Visitors outside India are shown their own time too. */
  startsAt: number | null;
  duration: string | null;
  place: string | null;
  shortId?: string | null;
  stamp?: { text: string; tone: StampTone } | null;
  price: (PriceWords & { totalLabel?: string }) | null;
}

export function BoardingPass(pass: PassProps) {
  const Heading = `h${pass.headingLevel ?? 3}` as "h2" | "h3";
  const ownStart = useHydrated() && pass.startsAt !== null && ownTimeOf(pass.startsAt);
  return (
    <div className="pass">
      <div className="grid overflow-hidden rounded-lg border border-line bg-surface shadow-high">
        <div>
          <div className="pass-head flex flex-wrap items-center gap-3 bg-night px-5 py-3 text-night-ink">
            <BrandLogo size={32} className="size-8" />
            <div className="leading-tight">
              <Heading className="display text-lg">{pass.title}</Heading>
              <p className="text-sm text-night-muted">{useBrand().name}</p>
            </div>
          </div>
          <dl className="flex flex-wrap gap-x-2 gap-y-4 px-5 pt-5">
            <Entry label="Name" value={pass.name} className="basis-full" />
            <Entry label="Captain" value={pass.captain} className="basis-full" />
            <Entry label="Date" value={pass.date} className="basis-[min(100%,7rem)]" />
            <Entry label="Place" value={pass.place} className="basis-[min(100%,7rem)]" />
          </dl>
          <dl className="flex flex-wrap gap-x-2 px-5 pt-4">
            <Clock label="Starts" value={pass.starts} className="" />
            <div className="mt-4 flex-1 text-center text-sm font-semibold">
              <dt className="sr-only">Duration</dt>
              <dd>
                <span className="route flex items-center gap-1 text-action">
                  <Icon name="plane" />
                </span>
                {pass.duration ? <span>{pass.duration}</span> : <Unset />}
              </dd>
            </div>
            <Clock label="Ends" value={pass.ends} className="text-right" />
          </dl>
          {/* Keeps its line, so that nothing moves once the browser's time zone is known. */}
          <div className="min-h-8 px-5 text-sm text-muted">
            {ownStart && `Your time: ${ownStart}`}
          </div>
        </div>
        {pass.stamp && (
          <p className={`stamped px-5 pb-5 ${STAMP_CLASS[pass.stamp.tone]}`}>
            <span className="sr-only">State: </span>
            <span className="stamp">{pass.stamp.text}</span>
          </p>
        )}
        <div className="stub">
          {pass.shortId && (
            <div className="pass-head stub-head hidden bg-night px-5 text-sky">
              <Icon name="plane" />
            </div>
          )}
          <Stub {...pass} />
        </div>
      </div>
    </div>
  );
}

interface EntryProps {
  label: string;
  value: string | null;
  className: string;
}

function Entry({ label, value, className }: EntryProps) {
  return (
    <div className={`pass-fact min-w-0 grow ${className}`}>
      <dt className="legend">{label}</dt>
      <dd className="figures break-words font-semibold leading-snug">{value ?? <Unset />}</dd>
    </div>
  );
}

function Clock({ label, value, className }: EntryProps) {
  return (
    <div className={className}>
      <dt className="legend">{label}, IST</dt>
      <dd className="pass-clock display figures text-lg">{value ?? <Unset />}</dd>
    </div>
  );
}

function Unset() {
  return (
    <span className="font-normal text-muted">
      <span aria-hidden="true">– – –</span>
      <span className="sr-only">not chosen yet</span>
    </span>
  );
}

function Stub({ shortId, price }: PassProps) {
  return (
    <dl className="figures grid gap-y-1 px-5 py-4">
      {shortId && <Line label="Booking no." value={shortId} className="font-mono" />}
      <Line label="Session" value={price?.base} />
      <Line label={GST_LABEL} value={price?.gst} />
      <Line label={price?.totalLabel ?? "Total"} value={price?.total} className="display text-xl" />
    </dl>
  );
}

function Line(line: { label: string; value: string | undefined; className?: string }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4">
      <dt className="text-muted">{line.label}</dt>
      <dd className={line.className}>{line.value ?? <Unset />}</dd>
    </div>
  );
}

/** A line with an icon under the price, for example how the payment works. */
export function PassNote({ icon, children }: { icon: IconName; children: ReactNode }) {
  return (
    <p className="flex gap-2 text-sm text-muted">
      <Icon name={icon} className="mt-0.5 size-4" />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </p>
  );
}
