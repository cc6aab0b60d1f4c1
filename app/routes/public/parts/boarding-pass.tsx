/** A session as a boarding pass; on the booking page it fills in as the visitor chooses. */
import type { ReactNode } from "react";
import { useHydrated } from "remix-utils/use-hydrated";
import { BRAND } from "#app/catalogue.ts";
import { BrandMark } from "#app/components/brand-mark.tsx";
import { Icon, type IconName } from "#app/components/icons.tsx";
import type { PriceWords } from "#app/model/money.ts";
import { GST_LABEL } from "#app/model/price.ts";
import { ownTimeOf } from "./own-time.ts";

export type StampTone = "waiting" | "go" | "stop" | "plain";

const STAMP_CLASS: Readonly<Record<StampTone, string>> = {
  waiting: "text-waiting-ink",
  go: "text-go",
  stop: "text-stop",
  plain: "text-muted",
};

export interface PassProps {
  /** The heading, for example `Session pass`. */
  title: string;
  headingLevel?: 1 | 2 | 3;
  /** Already worded; null shows an empty place. */
  traveller: string | null;
  captain: string | null;
  date: string | null;
  departs: string | null;
  /** India's date and time of the start, from which a visitor elsewhere is shown the own clock. */
  start?: { date: string; timeSlot: string } | null;
  duration: string | null;
  gate: string | null;
  shortId?: string | null;
  stamp?: { text: string; tone: StampTone } | null;
  price: (PriceWords & { totalLabel?: string }) | null;
}

export function BoardingPass(pass: PassProps) {
  const Heading = `h${pass.headingLevel ?? 3}` as "h1" | "h2" | "h3";
  return (
    <div className="pass overflow-hidden rounded-lg border border-line bg-surface shadow-high">
      <div className="flex items-center gap-3 bg-night px-5 py-3 text-night-ink">
        <BrandMark className="size-8" />
        <div className="min-w-0 leading-tight">
          <Heading className="display text-lg">{pass.title}</Heading>
          <p className="text-sm text-night-muted">{BRAND.name}</p>
        </div>
        {pass.shortId && (
          <p className="ml-auto text-right text-sm text-night-muted">
            Booking no.
            <br />
            <span className="font-mono text-base text-night-ink">{pass.shortId}</span>
          </p>
        )}
      </div>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-4 px-5 py-5">
        <Entry label="Traveller" value={pass.traveller} wide />
        <Entry label="Captain" value={pass.captain} wide />
        <Entry label="Date" value={pass.date} />
        <Entry
          label="Departs"
          value={pass.departs}
          large
          note={<OwnTime start={pass.start ?? null} />}
        />
        <Entry label="Duration" value={pass.duration} />
        <Entry label="Gate" value={pass.gate} />
      </dl>
      {pass.stamp && (
        <p className={`px-5 pb-5 ${STAMP_CLASS[pass.stamp.tone]}`}>
          <span className="stamp">{pass.stamp.text}</span>
        </p>
      )}
      <div className="tear" />
      <PriceLines price={pass.price} />
    </div>
  );
}

function Entry({
  label,
  value,
  wide = false,
  large = false,
  note = null,
}: {
  label: string;
  value: string | null;
  wide?: boolean;
  large?: boolean;
  note?: ReactNode;
}) {
  return (
    <div className={wide ? "col-span-2 min-w-0" : "min-w-0"}>
      <dt className="legend">{label}</dt>
      <dd
        className={`figures break-words leading-snug ${large ? "display text-lg sm:text-xl" : "font-semibold"}`}
      >
        {value ?? <Unset />}
        {note}
      </dd>
    </div>
  );
}

/** Keeps its line free on the server, so that nothing moves when the browser's clock is known. */
function OwnTime({ start }: { start: PassProps["start"] }) {
  const hydrated = useHydrated();
  const own = hydrated && start ? ownTimeOf(start.date, start.timeSlot) : null;
  return (
    <span className="-mb-3 block min-h-[1.45em] font-sans text-sm font-normal text-muted">
      {own && `Your time: ${own}`}
    </span>
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

function PriceLines({ price }: { price: PassProps["price"] }) {
  return (
    <dl className="figures grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 px-5 pb-5 pt-4">
      <dt className="text-muted">Session</dt>
      <dd className="text-right">{price?.base ?? <Unset />}</dd>
      <dt className="text-muted">{GST_LABEL}</dt>
      <dd className="text-right">{price?.gst ?? <Unset />}</dd>
      <dt className="mt-1 font-semibold">{price?.totalLabel ?? "Total"}</dt>
      <dd className="display mt-1 text-right text-xl">{price?.total ?? <Unset />}</dd>
    </dl>
  );
}

/** A line with an icon under the price, for example how the payment works. */
export function PassNote({ icon, children }: { icon: IconName; children: ReactNode }) {
  return (
    <p className="flex gap-2 text-sm text-muted">
      <Icon name={icon} className="mt-0.5 size-4" />
      <span>{children}</span>
    </p>
  );
}
