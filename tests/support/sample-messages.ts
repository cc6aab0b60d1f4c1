/** One appointment and one input for every kind, for the tests. */
import { BRAND, COUNSELORS } from "#app/catalogue.ts";
import type { Appointment, Contact, PaymentWindow } from "#app/model/appointment.ts";
import { instantOf, MINUTE } from "#app/model/dates.ts";
import type { MessageData, MessageKind } from "#app/model/messages.ts";
import type { Refund, RefundReason } from "#app/model/refund.ts";
import { NO_ROOM } from "#app/model/room.ts";
import type { Site, TemplateContext } from "#app/notifications/templates/content.ts";

const START = instantOf("2026-11-21", "14:00");
/** Three days before the session. */
export const SAMPLE_NOW = START - 3 * 24 * 60 * MINUTE;

const SAMPLE_SITE: Site = {
  publicUrl: "https://book.captains.example",
  selfServiceCutoffHours: 24,
  minNoticeMinutes: 60,
  paymentWindowSeconds: 900,
  holdSeconds: 1800,
  brand: BRAND,
  business: {
    name: "Sample Aviation Counselling",
    address: "12 Airport Road, Bengaluru 560017, Karnataka",
    email: "hello@captains.example",
    phone: "+91 98765 43210",
    grievanceContact: "R. Iyer, Grievance Officer, grievance@captains.example",
  },
};

export const SAMPLE_CONTACT: Contact = {
  name: "Priya Raghunathan",
  email: "priya@visitors.example",
  phone: "+919876512345",
  notes: "I wear glasses (-2.5). Can I still get a class 1 medical, and should I do it first?",
};

/** What the catalogue says of the appointment's captain. */
function captainOf(counselorKey: string): Pick<Appointment, "counselorEmail" | "meeting"> {
  const captain = COUNSELORS.find(({ key }) => key === counselorKey);
  return { counselorEmail: captain?.email ?? null, meeting: captain?.meeting ?? { kind: "call" } };
}

export function sampleAppointment(changes: Partial<Appointment> = {}): Appointment {
  return {
    ...captainOf(changes.counselorKey ?? "asha"),
    ...NO_ROOM,
    id: "k3v9m2xq7t4hn8wpz5c6y2rdab",
    contact: SAMPLE_CONTACT,
    student: null,
    company: null,
    abroad: null,
    counselorKey: "asha",
    counselor: "Capt. Asha Sample",
    date: "2026-11-21",
    timeSlot: "14:00",
    minutes: 30,
    startsAt: START,
    endsAt: START + 30 * MINUTE,
    price: { basePaise: 99_900, gstPaise: 18_000, totalPaise: 117_900 },
    status: "confirmed",
    cutoffHours: null,
    stateCode: "29",
    window: null,
    renewals: 0,
    cancelReason: null,
    cancelNote: null,
    source: "visitor",
    heldByStaff: false,
    whatsapp: true,
    attendance: null,
    staffNote: null,
    calendarUid: "uid9m2xq7t4hn8wpz5d7w3kfeh",
    calendarSequence: 0,
    createdAt: SAMPLE_NOW - 10 * MINUTE,
    version: 2,
    paymentId: "pay_SBX00000000001",
    invoiceNumber: "AC/26-27/00001",
    ...changes,
  };
}

/** A payment window whose time is kept until then, a quarter of an hour after the last payment. */
export function windowUntil(holdUntil: number): PaymentWindow {
  return { payBefore: holdUntil - 15 * MINUTE, holdUntil };
}

const cancelled = { status: "cancelled", cancelReason: "by_admin" } as const;
const pending = {
  status: "pending_payment",
  paymentId: null,
  invoiceNumber: null,
  window: windowUntil(SAMPLE_NOW - MINUTE),
} as const;
const money = { paymentId: "pay_SBX00000000001", amountPaise: 117_900 };
const partSums = { paidPaise: 117_900, backPaise: 20_000, takenPaise: 0, keptPaise: 97_900 };

/** One that counts and is wanted. */
export function sampleRefund(reason: RefundReason, changes: Partial<Refund> = {}): Refund {
  const usual = { state: "wanted", way: "provider", counts: 1, amountPaise: 117_900 } as const;
  return { ...usual, reason, ...changes };
}

const refund = sampleRefund("cancelled");
const late = sampleRefund("time_gone");
const part = sampleRefund("dashboard", {
  state: "processed",
  way: "dashboard",
  amountPaise: 20_000,
});

interface Sample {
  appointment?: Partial<Appointment> | null;
  data?: MessageData;
  more?: Partial<TemplateContext>;
}

/** With the calendar entry alone. */
const withCalendar = { attached: { invoice: null, creditNote: null, calendar: true } };

const moved: Sample = {
  appointment: { status: "rescheduled", calendarSequence: 1 },
  data: { sequence: 1, startsAt: START, previousDate: "2026-11-19", previousTimeSlot: "09:00" },
};
const joiningChanged: Sample = {
  appointment: { calendarSequence: 1 },
  data: { sequence: 1, startsAt: START },
  more: withCalendar,
};
const ofRohan: Sample = {
  appointment: { counselorKey: "rohan", counselor: "Capt. Rohan Sample" },
  more: withCalendar,
};
const lateRefund: Sample = {
  appointment: { status: "cancelled", cancelReason: "time_gone" },
  data: { ...money, refundId: "refund1", reason: "time_gone" },
  more: { refund: late, cancellationRefund: late },
};
/** About no booking, and of now. */
const alone = (data: MessageData): Sample => ({
  appointment: null,
  data: { at: SAMPLE_NOW, ...data },
});
const atHelp = START + 6 * MINUTE;

const SAMPLES: Record<MessageKind, Sample> = {
  booking_confirmed: {
    more: { attached: { invoice: "AC/26-27/00001", creditNote: null, calendar: true } },
  },
  booking_rescheduled: { ...moved, more: withCalendar },
  booking_cancelled: {
    appointment: cancelled,
    data: { wasPaid: true, refundWanted: true },
    more: {
      refund,
      cancellationRefund: refund,
      sums: { paidPaise: 117_900, backPaise: 117_900, takenPaise: 0, keptPaise: 0 },
      ...withCalendar,
    },
  },
  joining_changed: joiningChanged,
  booking_unpaid: { appointment: pending },
  payment_link: { appointment: { ...pending, source: "staff", heldByStaff: true } },
  guardian_asked: {
    appointment: { student: { name: "Kabir Raghunathan", under18: true, relation: "mother" } },
    more: { guardianToken: "gua9m2xq7t4hn8wpz5d7w3kfeh" },
  },
  reminder_24h: { data: { startsAt: START, hours: 24 }, more: { now: START - 24 * 60 * MINUTE } },
  reminder_1h: {
    ...ofRohan,
    data: { startsAt: START, hours: 1 },
    more: { now: START - 60 * MINUTE },
  },
  rating_request: {
    appointment: { attendance: "completed" },
    data: { code: "k3v9m2xq7t4hn8wpz5c6y2rdab" },
  },
  help_customer: { data: { startsAt: START, side: "captain", at: atHelp }, more: { now: atHelp } },
  session_plan: {
    appointment: { attendance: "completed" },
    more: {
      plan: [
        { type: "paragraph", runs: [{ text: "Dear Priya,\nfirst the medical, then the rest." }] },
        {
          type: "list",
          start: 1,
          items: [
            [
              { text: "Book a Class 2 medical: " },
              { text: "the list of examiners", url: "https://www.dgca.gov.in/" },
            ],
            [
              { text: "Write to " },
              { text: "asha@captains.example", url: "mailto:asha@captains.example" },
            ],
          ],
        },
      ],
    },
  },
  payment_refunded: {
    data: { ...money, refundId: "refund1", reason: "second" },
    more: { refund: sampleRefund("second") },
  },
  late_payment_refunded: lateRefund,
  refund_under_way: {
    data: { paymentId: "pay_SBX00000000001", refundId: "refund1", amountPaise: 20_000 },
    more: {
      refund: part,
      sums: partSums,
      attached: { invoice: null, creditNote: "CN/26-27/00001", calendar: false },
    },
  },
  counselor_new: ofRohan,
  counselor_moved: moved,
  counselor_corrected: ofRohan,
  counselor_joining_changed: joiningChanged,
  counselor_cancelled: {
    appointment: cancelled,
    data: { wasPaid: true },
    more: { cancellationRefund: late },
  },
  counselor_reminder: { data: { startsAt: START, hours: 1 } },
  help_counselor: {
    data: { startsAt: START, side: "customer", at: atHelp },
    more: { now: atHelp },
  },
  admin_help: { data: { startsAt: START, side: "customer", at: atHelp } },
  admin_late_refund: lateRefund,
  admin_refund_needs_person: {
    appointment: cancelled,
    data: {
      ...money,
      refundId: "refund1",
      way: "provider",
      error: "balance: Your account has too little money",
    },
    more: { refund: { ...refund, state: "needs_person" } },
  },
  admin_provider_refund: {
    data: { paymentId: "pay_SBX00000000001", refundId: "refund1", amountPaise: 20_000 },
    more: { refund: part, sums: partSums },
  },
  admin_backup_failed: alone({ error: "ENOSPC: no space left on device" }),
  admin_off_site_failed: alone({ error: "The store could not write: 403 AccessDenied." }),
  admin_doctor: alone({
    findings: [
      {
        subject: "Disk (DATABASE_PATH)",
        says: "512 MB free, 83 % used",
        mend: "Remove what is not needed, or extend the volume (fly volumes extend).",
      },
      {
        subject: "Certificate",
        says: "it ends in 5 days, on 23 Nov 2026, 5:30 AM IST",
        mend: "Renew it (on Fly: fly certs check book.captains.example), or browsers refuse the page.",
      },
    ],
  }),
  admin_calendar_unread: alone({
    counselor: "Capt. Asha Sample",
    error: "The calendar's server cannot be reached. We try again every 15 minutes.",
  }),
  admin_wrong_amount: {
    appointment: pending,
    data: { ...money, refundId: "refund1", reason: "wrong_amount" },
    more: { refund: sampleRefund("wrong_amount") },
  },
  admin_unmatched_payment: { appointment: null, data: money },
  admin_dispute: {
    data: {
      ...money,
      disputeId: "disp_SBX1",
      phase: "chargeback",
      status: "open",
      respondBy: SAMPLE_NOW + 7 * 24 * 60 * MINUTE,
    },
  },
  admin_given_up: {
    data: {
      queue: "order",
      key: "bk_k3v9m2xq7t4hn8wpz5c6y2rdab",
      error: "rejected: The id provided does not exist",
    },
  },
  admin_whatsapp_trouble: alone({
    error: "WhatsApp 190: The access token is invalid or has expired.",
  }),
  admin_alert: alone({ alert: "sign_in_closed" }),
  reset_code: { appointment: null, data: { code: "048213", expiresAt: SAMPLE_NOW + 10 * MINUTE } },
  test_mail: alone({}),
  account_notice: alone({ notice: "password_changed" }),
  team_invitation: {
    appointment: null,
    data: { code: "C".repeat(43), role: "staff", expiresAt: SAMPLE_NOW + 72 * 60 * MINUTE },
  },
  booking_links: { appointment: null, more: { bookings: [sampleAppointment()] } },
};

export function sampleInput(
  kind: MessageKind,
  changes: Partial<Appointment> = {},
): TemplateContext {
  const { appointment, data, more } = SAMPLES[kind];
  return {
    now: SAMPLE_NOW,
    site: SAMPLE_SITE,
    data: data ?? {},
    refund: null,
    refunds: [],
    cancellationRefund: null,
    sums: null,
    underWayPaise: 0,
    attached: { invoice: null, creditNote: null, calendar: false },
    appointment: appointment === null ? null : sampleAppointment({ ...appointment, ...changes }),
    bookings: [],
    ...more,
  };
}
