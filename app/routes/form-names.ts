/**
 * The names in the form of each page. What is not named here is refused before the page is asked,
 * so a new field of a form, or a new form, has its name here too.
 */

import {
  changePasswordSchema,
  confirmedPasswordSchema,
  forgotPasswordSchema,
  inviteSchema,
  loginSchema,
  passwordAndCodeSchema,
  verifyOtpSchema,
} from "#app/auth/fields.ts";
import { MOST_CAUSES } from "#app/availability/clashes.server.ts";
import {
  busyCalendarSchema,
  hoursFormSchema,
  leaveFormSchema,
  setBlocksSchema,
  setSlotsSchema,
} from "#app/availability/fields.ts";
import { bookingFormSchema } from "#app/booking/booking-fields.ts";
import {
  attendanceSchema,
  cancelOwnSchema,
  cancelSchema,
  editContactSchema,
  feedAddressSchema,
  findBookingSchema,
  moveOwnSchema,
  noteOnlySchema,
  offlinePaymentSchema,
  refundSchema,
  rescheduleSchema,
  sendAgainSchema,
  settleSchema,
  versionOnlySchema,
} from "#app/booking/change-fields.ts";
import { HONEYPOT_FIELD } from "#app/booking/honeypot-field.ts";
import { MOST_LINKS } from "#app/catalogue/fields.ts";
import { MOST_MOVED } from "#app/customers/fields.ts";
import type { FieldNames, FormNames } from "#app/http/form.ts";
import { MASTER_TIMES } from "#app/model/day-plan.ts";
import { WEEKDAYS } from "#app/model/week.ts";
import { assignPaymentSchema, seekBookingSchema } from "#app/payments/fields.ts";

interface Schema {
  shape: object;
}

/** The fields of the schemas and the further names, each once but for the lists. */
function names(
  from: readonly (Schema | string)[],
  lists: Readonly<Record<string, number>> = {},
): FieldNames {
  const all = from.flatMap((one) => (typeof one === "string" ? [one] : Object.keys(one.shape)));
  return new Map([...all.map((name): [string, number] => [name, 1]), ...Object.entries(lists)]);
}

const CAPTAIN = [
  ...["name", "title", "description", "yearsOfExperience", "rating", "sessions", "specialties"],
  ...["email", "meetingKind", "meetingUrl"],
];

export const FORM_NAMES: FormNames = {
  "/": names([bookingFormSchema, "shownTotal", "knowsPaid", "pick", "intent", HONEYPOT_FIELD]),
  "/find-booking": names([findBookingSchema]),
  "/booking/:id/pay": names([]),
  "/booking/:id/reschedule": names([moveOwnSchema]),
  "/booking/:id/cancel": names([cancelOwnSchema]),
  "/payments/callback": "theirs",
  "/admin": names([loginSchema, "next"]),
  "/admin/logout": names(["token"]),
  "/admin/reset-password": names([
    forgotPasswordSchema,
    verifyOtpSchema,
    confirmedPasswordSchema,
    "intent",
  ]),
  "/admin/invitation/:token": names([confirmedPasswordSchema]),
  "/admin/team": names([inviteSchema, "intent"]),
  "/admin/account": names([
    changePasswordSchema,
    passwordAndCodeSchema,
    feedAddressSchema,
    "intent",
  ]),
  "/admin/appointments/:id/attendance": names([attendanceSchema, "back", "anchor"]),
  "/admin/sessions/:id": names([noteOnlySchema, "shown"]),
  "/admin/appointments/new": names([
    ...[bookingFormSchema, "staffNote", "override", "payBy", "payBefore"],
    ...["method", "reference", "receivedOn", "formKey", "q", "pick", "intent"],
  ]),
  "/admin/appointments/:id/keep": names(["version", "back"], { cause: MOST_CAUSES }),
  "/admin/failures": names(["until"]),
  "/admin/schedule/:key": names([hoursFormSchema, leaveFormSchema, "leaveId", "intent"], {
    ...Object.fromEntries(WEEKDAYS.map((day) => [day, MASTER_TIMES.length])),
    copyTo: WEEKDAYS.length,
  }),
  "/admin/catalogue/captains/:key/portrait": "file",
  "/admin/schedule/:key/busy-calendar": names([busyCalendarSchema, "intent"]),
  "/admin/catalogue": names(
    [
      ...["minutes", "price", "label", "description", "active", "shown", "version"],
      ...["key", "position", "intent"],
    ],
    { timeSlots: MASTER_TIMES.length, linkLabel: MOST_LINKS, linkUrl: MOST_LINKS },
  ),
  "/admin/catalogue/new": names(CAPTAIN),
  "/admin/catalogue/captains/:key": names([...CAPTAIN, "shown", "version", "active", "sample"]),
  "/admin/find": names(["q"]),
  "/admin/customers": names(["q"]),
  "/admin/customers/:id": names(["email"], { bookings: MOST_MOVED }),
  "/admin/customers/:id/erase": names(["intent"]),
  "/admin/unmatched": names([assignPaymentSchema, seekBookingSchema, "intent"]),
  "/admin/slots": names([setSlotsSchema, setBlocksSchema, "tab", "list", "until", "intent"], {
    weekday: 7,
    timeSlots: MASTER_TIMES.length,
    timeSlotsToBlock: MASTER_TIMES.length,
  }),
  "/admin/appointments/:id": names([sendAgainSchema]),
  "/admin/appointments/:id/edit": names([editContactSchema, "shown"]),
  "/admin/appointments/:id/reschedule": names([rescheduleSchema, "list"]),
  "/admin/appointments/:id/cancel": names([cancelSchema, "amount", "formKey"]),
  "/admin/appointments/:id/payment": names([offlinePaymentSchema, "formKey"]),
  "/admin/appointments/:id/refund": names([refundSchema, "formKey"]),
  "/admin/refunds/:id/settle": names([settleSchema]),
  "/admin/appointments/:id/delete": names([versionOnlySchema]),
};
