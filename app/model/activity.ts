/** The actions of the activity log, with the words that their lines begin with. */
import type { Role } from "./actor.ts";
import { wording } from "./unknown-code.ts";

const LABELS = {
  login: "Signed in",
  login_failed: "Sign-in failed",
  logout: "Signed out",
  book: "Booked by staff",
  paid_outside: "Marked as paid outside",
  reschedule: "Session moved",
  hold: "Held again, link sent",
  cancel: "Appointment cancelled",
  delete: "Appointment deleted",
  edit: "Contact corrected",
  staff_note_edit: "Staff note changed",
  attendance: "Attendance noted",
  rating_hide: "Rating hidden or shown",
  help_call: "Help called at the hour",
  help_ask: "Asked for at the hour",
  help_settle: "Help at the hour settled",
  plan_save: "Plan saved",
  plan_send: "Plan sent",
  slots_set: "Availability set",
  slots_reset: "Back to usual times",
  block: "Times blocked",
  unblock: "Times unblocked",
  hours_set: "Weekly hours set",
  leave_add: "Leave added",
  leave_remove: "Leave removed",
  clash_keep: "Session kept on purpose",
  export: "Appointments exported",
  gst_export: "Month for the accountant exported",
  documents_export: "Month's documents downloaded",
  customer_data: "Customer's data downloaded",
  customer_erase: "Customer erased",
  resend: "Message sent again",
  refund: "Refund without cancelling",
  refund_retry: "Refund tried again",
  refund_settle: "Refund marked as paid back",
  unmatched_refund: "Unmatched payment refunded",
  unmatched_assign: "Unmatched payment assigned",
  password_reset: "Password reset by code",
  password_change: "Password changed",
  sessions_end: "Other sessions ended",
  second_factor_on: "Second factor turned on",
  second_factor_off: "Second factor turned off",
  recovery_code_used: "Recovery code used",
  busy_calendar_set: "Busy calendar set",
  busy_calendar_removed: "Busy calendar removed",
  counselor_add: "Captain added",
  counselor_edit: "Captain changed",
  package_edit: "Package changed",
  default_times_set: "Default times changed",
  links_set: "Links changed",
  settings_edit: "Settings changed",
  first_step: "List of first steps",
  feed_renewed: "Calendar address renewed",
  admin_create: "Admin account made",
  team_invite: "Invited to the team",
  team_change: "Account changed",
  team_join: "Invitation used",
  admin_set_password: "Password set on the server",
  forbidden: "Not allowed",
} as const;

export type ActivityAction = keyof typeof LABELS;

export const activityLabel = wording(LABELS);

/** What changed, in the names of the JSON contract. Holds no secret. */
export type ActivityData = Record<string, unknown>;

export interface ActivityEntry {
  at: number;
  /** A username, `customer`, `system` or `unknown`. */
  actor: string;
  role: Role | null;
  action: ActivityAction;
  /** The id of the appointment, message, refund or payment, or what else was acted on. */
  target: string | null;
  before: ActivityData | null;
  after: ActivityData | null;
}
