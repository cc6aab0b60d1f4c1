/** For each call that takes a body, one that is right as far as it goes; `n` makes it another each time. */
import { WEEKDAYS } from "#app/model/day-plan.ts";
import { ASHA, dayAhead, ROHAN } from "#tests/support/bookings.ts";

const person = { name: "Meera Pillai", email: "meera@example.in", phone: "9845012345" };
const student = { name: "Tara Pillai", under18: true, relation: "Mother" };
const choice = { counselor: ASHA, package: 30, timeSlot: "10:00" };
const outside = { method: "upi", reference: "RRN 1", receivedOn: dayAhead(0) };
const day = { counselor: "asha", date: dayAhead(5) };
const captain = {
  title: "Airline captain",
  description: "Of long flights",
  yearsOfExperience: 20,
  rating: 4.5,
  sessions: 3,
  specialties: ["Cadets"],
  languages: ["English"],
  email: "c@captains.example",
  active: true,
  sample: false,
  position: 3,
};
const question = { id: "why", label: "Why?", hint: "Short", required: true };
const account = { role: "captain", counselor: "asha" };
const reset = { email: "admin@captains.example", otp: "123456" };

export const CALL_BODIES: Readonly<Record<string, (n: number) => object>> = {
  "POST /api/appointments": (n) => ({
    ...{ ...person, ...choice, date: dayAhead(2 + (n % 80)), state: "29", notes: "A question" },
    ...{ gstin: "", billingName: "", billingAddress: "", country: "", packagePrice: 999 },
    ...{ whatsapp: true, student },
  }),
  "POST /api/payments/create-order": () => ({ appointmentId: "x" }),
  "POST /api/payments/verify": () => ({
    ...{ appointmentId: "x", razorpay_order_id: "order_00000000000001" },
    ...{ razorpay_payment_id: "pay_00000000000001", razorpay_signature: "0".repeat(64) },
  }),
  "POST /api/admin/login": () => ({ username: "nobody", password: "x", totp: "000000" }),
  "POST /api/admin/forgot-password": () => ({ email: reset.email }),
  "POST /api/admin/verify-otp": () => reset,
  "POST /api/admin/reset-password": () => ({ ...reset, newPassword: "quiet-runway-0918" }),
  "POST /api/admin/appointments": (n) => ({
    ...{ ...person, ...choice, date: dayAhead(2 + (n % 80)), staffNote: "By phone", student },
    ...{ payment: { by: "offline", ...outside }, override: true, noticeRead: true },
  }),
  "PATCH /api/admin/appointments/:id": () => ({
    ...{ ...person, notes: "A question", staffNote: "By phone" },
    student: { name: "Tara Pillai", under18: true },
  }),
  "PUT /api/admin/appointments/:id/reschedule": (n) => ({
    ...{ date: dayAhead(3 + (n % 80)), newTimeSlot: "11:00", counselor: ROHAN, override: true },
  }),
  "POST /api/admin/appointments/:id/payment": () => outside,
  "POST /api/admin/appointments/:id/hold": () => ({ payBefore: `${dayAhead(2)}T10:00` }),
  "POST /api/admin/appointments/:id/refund": () => ({ amount: 1, reason: "Sorry" }),
  "PUT /api/admin/appointments/:id/attendance": () => ({ attendance: "completed" }),
  "PUT /api/admin/appointments/:id/plan": () => ({ text: "# Next", send: false, version: 0 }),
  "POST /api/admin/refunds/:id/settle": () => ({ reference: "RRN 1" }),
  "PUT /api/admin/packages/30": () => ({
    ...{ price: 999, label: "Short", description: "A first look", active: true },
    questions: [{ ...question, kind: "choice", choices: ["Yes", "No"] }],
  }),
  "PUT /api/admin/default-times": () => ({ timeSlots: ["10:00", "11:00"] }),
  "PUT /api/admin/links": () => ({ links: [{ label: "Blog", url: "https://a.example/" }] }),
  "POST /api/admin/counselors": (n) => ({
    ...{ ...captain, name: `Capt. N ${n}` },
    room: { kind: "pattern", address: "https://meet.example/{code}" },
  }),
  "PUT /api/admin/counselors/asha": () => ({
    ...{ ...captain, name: ASHA, portrait: null },
    meeting: { kind: "link", url: "https://meet.example/a" },
  }),
  "PUT /api/admin/counselors/asha/hours": () => ({
    week: Object.fromEntries(WEEKDAYS.map((weekday) => [weekday, ["10:00", "11:00"]])),
    bufferMinutes: 5,
  }),
  "PUT /api/admin/counselors/asha/busy-calendar": () => ({ url: "https://c.example/x.ics" }),
  "PATCH /api/admin/settings": () => ({
    ...{ brand: "Wings", accent: "#005bbf", businessName: "Wings LLP", businessState: "29" },
    ...{ askState: "optional", minNoticeMinutes: 5, faq: [{ question: "Why?", answer: "So." }] },
  }),
  "POST /api/admin/slots": () => ({ ...day, timeSlots: ["10:00"] }),
  "POST /api/admin/blocks": () => ({
    ...{ ...day, timeSlotsToBlock: ["10:00"], action: "block", reason: "Leave" },
  }),
  "POST /api/admin/leave": () => ({
    ...{ counselor: "asha", from: dayAhead(85), to: dayAhead(86), reason: "Leave" },
  }),
  "PUT /api/admin/ratings/:id": () => ({ hidden: "abuse" }),
  "POST /api/admin/team": (n) => ({ ...account, username: `u${n}`, email: `u${n}@e.example` }),
  "PATCH /api/admin/team/nobody": () => ({ ...account, active: true }),
  // Last, so that the others meet a live booking.
  "POST /api/admin/appointments/:id/cancel": () => ({
    ...{ by: "customer", reason: "Fog", refund: { amount: 1 }, version: 1 },
  }),
};
