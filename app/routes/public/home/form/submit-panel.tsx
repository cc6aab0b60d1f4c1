/** The pass with the price, the submit button and the conditions, beside or below the form. */
import { href } from "react-router";
import { untilWords } from "#app/model/appointment.ts";
import { formatClock, formatDay, formatShortDay, formatSlot, MINUTE } from "#app/model/dates.ts";
import { OFFLINE_WORDS } from "#app/model/wording.ts";
import type { OwnView } from "#app/routes/public/home/home-view.server.ts";
import { BoardingPass, PassNote } from "#app/routes/public/parts/boarding-pass.tsx";
import { ChangeTerms } from "#app/routes/public/parts/own-time.tsx";
import { cheapestOf, OwnHold } from "./eager-parts.tsx";
import { type Choice, SESSION } from "./fields.ts";
import type { BookingFormState } from "./use-booking-form.ts";

export function SubmitPanel({ booking }: { booking: BookingFormState }) {
  const { home, choice, counselor, chosenPackage, pendingText, offline, terms } = booking;
  const { own } = home;
  return (
    <aside aria-label="Your session and price" className="contents lg:sticky lg:top-6 lg:block">
      <div className="mt-10 lg:mt-0">
        <BoardingPass
          title="Your session"
          name={(choice.forWhom === "other" ? choice.studentName : choice.name).trim() || null}
          captain={counselor?.name ?? null}
          date={choice.date ? formatDay(choice.date) : null}
          starts={choice.timeSlot ? formatSlot(choice.timeSlot) : null}
          ends={
            terms && chosenPackage && formatClock(terms.startsAt + chosenPackage.minutes * MINUTE)
          }
          startsAt={terms?.startsAt ?? null}
          duration={chosenPackage ? `${chosenPackage.minutes} minutes` : null}
          place={counselor?.place ?? null}
          price={chosenPackage}
        />
      </div>
      <div className="no-print @container z-10 pay-bar -mx-4 mt-6 border-t border-line bg-surface px-4 pb-[max(--spacing(3),env(safe-area-inset-bottom))] pt-3 shadow-high md:-mx-6 md:px-6 lg:mx-0 lg:border-0 lg:bg-transparent lg:p-0 lg:shadow-none">
        {own && !booking.pending && (
          <OwnHold
            own={own}
            note={isOther(own, choice) && INSTEAD}
            isBesideButton
            box={`mb-3 rounded-sm @max-[14rem]:hidden ${own.state === "payable" ? "own-hold" : "max-lg:hidden"}`}
            line="px-3 py-1.5 text-sm"
          />
        )}
        <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2">
          <p className="figures min-w-0 flex-1 basis-28 leading-tight @max-[14rem]:hidden lg:hidden">
            <span className="display block text-xl">
              {chosenPackage?.total ?? `From ${cheapestOf(home.offer).total}`}
            </span>
            <span className="block text-balance text-sm text-muted">{barWords(booking)}</span>
          </p>
          <button
            type="submit"
            disabled={booking.pending}
            className="button button-primary lg:w-full"
          >
            {pendingText ?? (chosenPackage ? `Pay ${chosenPackage.total}` : "Book and pay")}
          </button>
          <p className="basis-full text-right text-sm leading-tight text-muted @max-[14rem]:hidden lg:text-center">
            By UPI, card or netbanking
          </p>
        </div>
        <p role="status" className={offline ? "mt-1 text-sm font-semibold" : "sr-only"}>
          {offline ? OFFLINE_WORDS[offline] : pendingText}
        </p>
      </div>
      <Notice home={home} terms={terms} />
    </aside>
  );
}

const INSTEAD = "If you pay for your new choice, the time you hold is free for others.";

/** True if the form would book another session instead of the held one. */
function isOther(own: OwnView, choice: Choice): boolean {
  const isComplete = SESSION.every((field) => choice[field] !== "");
  return own.state === "payable" && isComplete && !isHeld(own, choice);
}

/** True if the form's button pays for the session that this browser holds. */
export function isHeld({ state, choice: held }: OwnView, choice: Choice): boolean {
  return state === "payable" && SESSION.every((field) => choice[field] === held[field]);
}

function barWords({ choice, chosenPackage }: BookingFormState): string {
  return chosenPackage && choice.date && choice.timeSlot
    ? `${formatShortDay(choice.date)}, ${formatSlot(choice.timeSlot)} IST`
    : "GST included";
}

function Notice({ home, terms }: Pick<BookingFormState, "home" | "terms">) {
  const { payTime, cutoffHours } = home;
  const { gstin } = home.business;
  return (
    <div className="mt-5 grid gap-2.5 pb-4 lg:pb-0">
      <PassNote icon="clock">We hold your time for up to {payTime} while you pay.</PassNote>
      <PassNote icon="check">
        {terms ? (
          <ChangeTerms {...terms} />
        ) : (
          <span>You can move or cancel with a full refund until {untilWords(cutoffHours)}.</span>
        )}{" "}
        <a className="link" href={href("/refunds")}>
          Cancellation and refunds
        </a>
      </PassNote>
      <PassNote icon="alert">
        We cannot promise a medical result, an exam pass or a job. Only the DGCA and the airlines
        decide those.
      </PassNote>
      <PassNote icon="lock">
        You pay through Razorpay. We never see your card or UPI details.
      </PassNote>
      {gstin && <PassNote icon="document">GST invoice from GSTIN {gstin}.</PassNote>}
      <PassNote icon="document">
        <a className="link" href={href("/privacy")}>
          How we use your data
        </a>{" "}
        <a className="link" href={href("/terms")}>
          Terms
        </a>
      </PassNote>
    </div>
  );
}
