/** What needs attention, each item with a link to the page that settles it. */
import { href } from "react-router";
import {
  type Attention,
  MOST_COUNTED,
  MOST_READ,
  readAttention,
} from "#app/booking/dashboard.server.ts";
import type { ReadDeps } from "#app/core/deps.server.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { addDays, adminDate, adminInstant, dateInIndia, formatSlot } from "#app/model/dates.ts";
import { messageLabel } from "#app/model/messages.ts";
import { formatAmount, formatCount, formatMoney } from "#app/model/money.ts";
import { PAID } from "#app/model/statuses.ts";
import { channelWords, personName } from "#app/model/wording.ts";
import { listOverdueAtBank } from "#app/payments/provider-lists.server.ts";
import {
  clashesView,
  MOST_SETTLED_HERE,
  openClashes,
} from "#app/routes/admin/parts/clashes-view.server.ts";
import { type HelpView, helpView } from "#app/routes/admin/parts/help-view.server.ts";
import { filteredHref, panelOr } from "#app/routes/admin/parts/list-search.ts";
import { type AttendanceView, attendanceView } from "#app/routes/admin/parts/views.server.ts";
import { numbersWords, paidWhen, RESTORED_ID } from "#app/routes/admin/parts/words.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { findPayment } from "#db/queries/payments.server.ts";

/** Items shown per group; the rest unfold. */
const SHOWN = 3;

const PRESSURE_NOTE =
  "Unpaid bookings keep customers away, and may be fake. Until this ends, a new one holds its time for less long, and one network can hold only a few. You can wait until the holds end, cancel bookings that are plainly fake, or block times under “Manage Slots”.";

const OVERDUE_NOTE =
  "The payment provider’s settlement report does not name it, ten days after it was paid (fifteen for a foreign card). Please ask the provider’s support with its payment ID.";

const NO_ROOM_NOTE =
  "Zoom made none, so customer and captain have the captain’s own link, which others may know too. “npm run doctor” says what is wrong with Zoom.";

const GUARDIAN_NOTE =
  "The student is under 18, and who booked has not confirmed as parent or guardian. Please call them; the mail with the link can be sent again from the booking.";

export type AttentionView = ReturnType<typeof attentionView>;

interface Item {
  key: string;
  text: string;
  to: string;
  attendance?: AttendanceView | null;
  call?: { name: string; phone: string };
  help?: HelpView;
}

export interface Group {
  /** Stays the same when the count in `title` changes. */
  key: string;
  title: string;
  /** What it means and what to do, if the items do not say so. */
  note?: string;
  /** How many there are, as far as they were counted. */
  total: number;
  items: Item[];
  /** The others that were read, and how many they are, in words. */
  more: Item[];
  moreWords: string;
  /** The page that lists all of them. */
  allTo?: string;
}

/** Refunds and payments are left out unless the account may settle them (`maySettle`). */
export function attentionView(deps: ReadDeps, maySettle: boolean) {
  const attention = readAttention(deps);
  return {
    /** Sessions with an open call for help. */
    waiting: groupOf(
      "session",
      " where one side is not there",
      attention.callingForHelp,
      (one) => ({ ...sessionItem(deps, one), attendance: null, help: helpView(deps, one, one.id) }),
      { most: MOST_SETTLED_HERE },
    ),
    money: maySettle ? moneyGroups(deps, attention) : [],
    /** Sessions in times that are now blocked, on leave or outside the hours. */
    clashes: clashesView(deps, openClashes(deps), null),
    others: otherGroups(deps, attention),
  };
}

function moneyGroups(deps: ReadDeps, { refunds, unmatched, restored }: Attention): Group[] {
  const bookingOf = (id: string | null | undefined) => (id ? findAppointment(deps.db, id) : null);
  return [
    groupOf("restore", " to look through", restored ? [restored] : [], (copy) => ({
      key: RESTORED_ID,
      text: numbersWords(copy),
      to: `${href("/admin/documents")}#${RESTORED_ID}`,
    })),
    groupOf("refund", [" waits for you", " wait for you"], refunds, (refund) =>
      refundItem(refund, bookingOf(refund.appointmentId)),
    ),
    groupOf(
      "payment",
      [" belongs to no booking", " belong to no booking"],
      unmatched,
      (payment) => ({
        key: payment.paymentId,
        text: `${formatMoney(payment, formatAmount)} of ${paidWhen(payment)}`,
        to: href("/admin/unmatched"),
      }),
    ),
    groupOf(
      "payment",
      [" has not reached the bank", " have not reached the bank"],
      listOverdueAtBank(deps),
      ({ paymentId, amountPaise, at }) => ({
        key: paymentId,
        text: `${formatAmount(amountPaise)} of ${adminInstant(at)}, ${paymentId}`,
        to: panelOr(
          bookingOf(findPayment(deps.db, paymentId)?.appointmentId),
          href("/admin/documents"),
        ),
      }),
      { note: OVERDUE_NOTE },
    ),
  ];
}

/** Messages, attendance, rooms, calendars under pressure, guardians. */
function otherGroups(deps: ReadDeps, attention: Attention): Group[] {
  const { messages, withoutAttendance, withoutRoom, underPressure, unconfirmed } = attention;
  const { newest, total, since } = withoutAttendance;
  const today = dateInIndia(deps.now());
  const itemOf = (one: Appointment) => sessionItem(deps, one);
  return [
    groupOf("message", [" was not sent", " were not sent"], messages, (one) => ({
      key: one.id,
      text: `${messageLabel(one.kind)}: ${channelWords(one.channel)} to ${one.recipient}`,
      to: href("/admin/appointments/:id", { id: one.appointmentId ?? "" }),
    })),
    groupOf("session", " without attendance", newest, itemOf, {
      total,
      // Includes today's sessions that are not over yet.
      allTo: filteredHref({
        status: PAID.join(","),
        attendance: "none",
        startDate: since > 0 ? dateInIndia(since) : undefined,
        endDate: today,
      }),
    }),
    groupOf("session", " without a Zoom room", withoutRoom, itemOf, { note: NO_ROOM_NOTE }),
    groupOf(
      "calendar",
      [" is under pressure", " are under pressure"],
      underPressure,
      ({ counselor, held, times }) => ({
        key: counselor,
        text: `${counselor}: ${held} of ${times} times of the next seven days are held unpaid`,
        to: filteredHref({
          counselor,
          status: "pending_payment",
          startDate: today,
          endDate: addDays(today, 7),
        }),
      }),
      { note: PRESSURE_NOTE },
    ),
    groupOf(
      "session",
      " without a guardian’s yes",
      unconfirmed,
      (one) => ({
        ...itemOf(one),
        call: { name: personName(one.contact.name), phone: one.contact.phone },
      }),
      { note: GUARDIAN_NOTE },
    ),
  ];
}

/** `words` follow the counted noun `thing`; a pair holds singular and plural. */
function groupOf<T>(
  thing: string,
  words: string | readonly [one: string, many: string],
  read: readonly T[],
  item: (row: T) => Item,
  { most = SHOWN, total = read.length, ...more }: GroupExtras = {},
): Group {
  const [one, many] = typeof words === "string" ? [words, words] : words;
  // No more than these were read.
  const isCut = total === MOST_READ && read.length === MOST_READ;
  const count = `${formatCount(total)}${isCut ? " or more" : ""}`;
  const counted = total === 1 ? `1 ${thing}${one}` : `${count} ${thing}s${many}`;
  return {
    key: `${thing}${one}`,
    title: total > MOST_COUNTED ? `More than ${MOST_COUNTED} ${thing}s${many}` : counted,
    total,
    items: read.slice(0, most).map(item),
    more: read.slice(most, MOST_READ).map(item),
    moreWords: `and ${formatCount(total - most)} ${isCut ? "or more" : "more"}`,
    ...more,
  };
}

interface GroupExtras extends Partial<Pick<Group, "total" | "note" | "allTo">> {
  /** How many are shown; the rest unfold. */
  most?: number;
}

function refundItem(refund: Attention["refunds"][number], booking: Appointment | null): Item {
  const { id, appointmentId, way } = refund;
  const lost = `of ${appointmentId ? "a deleted booking" : "a payment of no booking"}`;
  const whose = booking ? `to ${personName(booking.contact.name)}` : lost;
  const text = `${formatMoney(refund, formatAmount)} ${whose}`;
  return way === "by_hand"
    ? {
        key: id,
        text: `Pay back by hand: ${text}`,
        to: href("/admin/refunds/:id/settle", { id }),
      }
    : { key: id, text, to: panelOr(booking, href("/admin/unmatched")) };
}

function sessionItem({ now }: ReadDeps, appointment: Appointment): Item {
  const { id, date, timeSlot, contact, counselor } = appointment;
  return {
    key: id,
    attendance: attendanceView(appointment, contact.name, now()),
    text: `${personName(contact.name)}: ${adminDate(date)}, ${formatSlot(timeSlot)}, ${counselor}`,
    to: href("/admin/appointments/:id", { id }),
  };
}
