/** What the first page says of the booking that this browser made last. */
import type { OwnBooking } from "#app/booking/own-booking.server.ts";
import { formatClock, formatSession } from "#app/model/dates.ts";
import type { OwnView } from "./own-hold.tsx";

export function ownView({ appointment, state }: OwnBooking, now: number): OwnView {
  const { id, counselor, date, timeSlot, minutes, window } = appointment;
  const session = `${formatSession(date, timeSlot)} with ${counselor}`;
  const payBefore = window?.payBefore ?? now;
  const clock = `${formatClock(payBefore)} IST`;
  const ended = `Your time to pay for ${session} ended at ${clock}`;
  const [text, link = "See your booking"] = {
    payable: [`You are holding ${session}. Start paying by ${clock}.`, "Continue to payment"],
    renewable: [`${ended}. The session is still free.`, "Hold it again"],
    over: [`${ended}, and it can no longer be held. Please choose another time.`],
    checking: [
      `Your payment for ${session} is being checked. Last checked at ${formatClock(now, "seconds")} IST.`,
    ],
    paid: [
      `Your session on ${session} is confirmed. If you book again here, that is a second session.`,
    ],
    none: [""],
  }[state];
  return {
    id,
    state,
    text: text!,
    link,
    ended: `${ended}.`,
    payInMs: state === "payable" ? payBefore - now : null,
    choice: { counselor, date, timeSlot, package: String(minutes) },
  };
}
