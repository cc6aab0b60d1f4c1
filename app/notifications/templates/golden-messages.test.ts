/**
 * Whole messages against golden files: every kind in every state that changes its words, and one mail
 * in HTML that holds each kind of block. After a wanted change of words or looks:
 * `vitest run app/notifications/templates -u`, and read the difference.
 */
import { expect, it } from "vitest";
import type { Appointment } from "#app/model/appointment.ts";
import {
  ACCOUNT_NOTICES,
  MESSAGE_KINDS,
  type MessageData,
  type MessageKind,
  OWNER_ALERTS,
} from "#app/model/messages.ts";
import type { Refund, RefundReason } from "#app/model/refund.ts";
import {
  SAMPLE_CONTACT,
  SAMPLE_NOW,
  sampleAppointment,
  sampleInput,
  sampleRefund,
  windowUntil,
} from "#tests/support/sample-messages.ts";
import type { TemplateContext } from "./content.ts";
import { renderMessage } from "./index.ts";
import { customerPass } from "./pass.ts";
import { renderHtml } from "./render-html.ts";
import { renderText } from "./render-text.ts";

const { startsAt, endsAt } = sampleAppointment();
const CHANGEABLE_UNTIL = startsAt - 24 * 3_600_000;

/** By `booking` what differs in the appointment, by `data` in the message's data. */
interface Variant extends Partial<Omit<TemplateContext, "data">> {
  booking?: Partial<Appointment>;
  data?: MessageData;
}

const called = { counselorKey: "rohan", counselor: "Capt. Rohan Sample" };
const silent = { ...SAMPLE_CONTACT, notes: null };
const erased = { ...SAMPLE_CONTACT, email: "" };
const unpaid = { status: "pending_payment", paymentId: null, invoiceNumber: null } as const;
const cancelled = { status: "cancelled", cancelReason: "by_customer" } as const;
const nothing = { invoice: null, creditNote: null, calendar: false };
const heldAt = (payBefore: number) => ({ ...unpaid, window: windowUntil(payBefore + 900_000) });
const givenUp = { queue: "event", key: "evt_1", error: "rejected: no" } as const;
/** The refund that it is about; of a cancellation also that of the stamp. */
function about(reason: RefundReason, changes: Partial<Refund> = {}): Variant {
  const refund = sampleRefund(reason, { amountPaise: 5_000, ...changes });
  const isCancelled = reason === "cancelled" || reason === "time_gone";
  return isCancelled ? { refund, cancellationRefund: refund } : { refund };
}
const money = { paymentId: "pay_SBX00000000001", amountPaise: 117_900 };
const none = { refund: null, cancellationRefund: null };
const awaited: Partial<Appointment> = { meeting: { kind: "awaited", room: "zoom" } };
const help = (data: MessageData): Variant => ({
  data: { ...sampleInput("admin_help").data, ...data },
});
const byStaff = (note: string): Variant => ({
  refund: sampleRefund("by_staff", { state: "pending", note }),
});
const [oneFinding] = sampleInput("admin_doctor").data.findings!;
const KABIR = { name: "Kabir", under18: false, relation: null };

const VARIANTS: [MessageKind, string, Variant][] = [
  ["booking_confirmed", "corrected, by phone", { data: { corrected: true }, booking: called }],
  ["booking_confirmed", "nothing attached", { attached: nothing }],
  ["booking_confirmed", "last moment", { now: endsAt - 1 }],
  ["booking_confirmed", "over", { now: endsAt }],
  ["booking_confirmed", "over, corrected", { now: endsAt, data: { corrected: true } }],
  ["booking_confirmed", "changeable to the last", { now: CHANGEABLE_UNTIL - 1 }],
  ["booking_confirmed", "no longer changeable", { now: CHANGEABLE_UNTIL }],
  ["booking_rescheduled", "old time unknown", { data: {}, attached: nothing }],
  ["booking_rescheduled", "without its hour", { data: { previousDate: "2026-11-19" } }],
  ["booking_rescheduled", "unpaid, held", { booking: heldAt(SAMPLE_NOW + 1) }],
  ["booking_rescheduled", "unpaid, ended", { booking: heldAt(SAMPLE_NOW) }],
  ["booking_rescheduled", "unpaid, no window", { booking: { ...unpaid, window: null } }],
  [
    "booking_rescheduled",
    "unpaid, being checked",
    { booking: heldAt(SAMPLE_NOW + 1), underWayPaise: 117_900 },
  ],
  ["booking_cancelled", "credit note", { attached: { ...nothing, creditNote: "CN/1" } }],
  ["booking_cancelled", "refund wanted", { ...none, booking: { cancelReason: null } }],
  ["booking_cancelled", "no refund yet", { ...none, data: { wasPaid: true } }],
  ["booking_cancelled", "never paid", { ...none, data: {}, booking: { ...cancelled } }],
  [
    "booking_cancelled",
    "being checked",
    { ...none, data: {}, booking: { ...cancelled }, underWayPaise: 117_900 },
  ],
  [
    "booking_cancelled",
    "refund sent",
    { ...about("cancelled", { state: "processed" }), booking: cancelled },
  ],
  ["booking_cancelled", "by hand", about("cancelled", { state: "needs_person", way: "by_hand" })],
  ["booking_cancelled", "paid back", about("cancelled", { state: "processed", way: "by_hand" })],
  ["joining_changed", "to a call", { attached: nothing, booking: called }],
  ["payment_link", "a visitor's, held again", { booking: { source: "visitor" } }],
  ["guardian_asked", "again, corrected", { data: { again: true } }],
  ["guardian_asked", "again, moved", { data: { again: true, moved: true } }],
  ["booking_unpaid", "no window", { booking: { window: null, renewals: 2 } }],
  ["booking_unpaid", "of staff", { booking: { source: "staff" } }],
  ["booking_unpaid", "renewed thrice", { booking: { renewals: 3 } }],
  [
    "booking_unpaid",
    "its payment went back",
    { refunds: [sampleRefund("wrong_amount", { state: "processed", amountPaise: 100_000 })] },
  ],
  [
    "payment_refunded",
    "wrong amount, unpaid",
    { data: { reason: "wrong_amount" }, booking: unpaid },
  ],
  ["payment_refunded", "cancelled, no refund", { refund: null, booking: cancelled }],
  ["payment_refunded", "sent", about("second", { state: "processed" })],
  ["late_payment_refunded", "no refund yet", none],
  ["late_payment_refunded", "refund failed", about("time_gone", { state: "failed" })],
  ["late_payment_refunded", "of before causes had names", { data: {} }],
  ...(["booking_cancelled", "session_begun"] as const).flatMap(
    (reason): [MessageKind, string, Variant][] => {
      const variant = { data: { ...money, reason }, ...about(reason), booking: cancelled };
      return [
        ["late_payment_refunded", reason, variant],
        ["admin_late_refund", reason, variant],
      ];
    },
  ),
  [
    "refund_under_way",
    "paid back by hand, after a dispute",
    {
      ...about("cancelled", { state: "processed", way: "by_hand" }),
      sums: { paidPaise: 117_900, backPaise: 5_000, takenPaise: 100_000, keptPaise: 12_900 },
    },
  ],
  ...(["by_hand", "dashboard"] as const).map((way): [MessageKind, string, Variant] => [
    "admin_refund_needs_person",
    way,
    { data: { ...money, way }, ...about("cancelled", { state: "needs_person", way }) },
  ]),
  ["counselor_new", "a link, no question", { attached: nothing, booking: { contact: silent } }],
  ["counselor_moved", "old time unknown", { data: {}, booking: called }],
  ["counselor_moved", "without its hour", { data: { previousDate: "2026-11-19" } }],
  ["counselor_cancelled", "with a file", { attached: { ...nothing, calendar: true } }],
  [
    "counselor_cancelled",
    "another captain takes it",
    { attached: { ...nothing, calendar: true }, data: { previousCounselor: "asha" } },
  ],
  ["counselor_reminder", "a day before", { data: { hours: 24 } }],
  ["admin_late_refund", "booking deleted", { appointment: null, refund: null }],
  ["admin_wrong_amount", "amount unknown", { data: {} }],
  ["admin_wrong_amount", "customer erased", { booking: { contact: erased } }],
  ...["open", "under_review", "won", "lost", "closed"].map(
    (status): [MessageKind, string, Variant] => [
      ...(["admin_dispute", status] as const),
      { data: { phase: "pre_arbitration", status, amountPaise: 117_900, respondBy: null } },
    ],
  ),
  ["admin_dispute", "lost, booking deleted", { data: { status: "lost" }, appointment: null }],
  ["admin_dispute", "of an unknown state", { data: {}, appointment: null }],
  ["admin_given_up", "an event of the provider", { data: givenUp, appointment: null }],
  ["admin_backup_failed", "of an unknown time", { data: {} }],
  ["admin_calendar_unread", "of an unknown captain", { data: {} }],
  ["admin_alert", "of an unknown kind", { data: {} }],
  ...OWNER_ALERTS.map((alert): [MessageKind, string, Variant] => [
    ...(["admin_alert", alert, { data: { alert, at: SAMPLE_NOW } }] as const),
  ]),
  ...(Object.keys(ACCOUNT_NOTICES) as (keyof typeof ACCOUNT_NOTICES)[]).map(
    (notice): [MessageKind, string, Variant] => ["account_notice", notice, { data: { notice } }],
  ),
  ["reset_code", "without its end", { data: { code: "1" } }],
  ["team_invitation", "of a captain", { data: { code: "1", role: "captain" } }],
  ["team_invitation", "of an owner", { data: { code: "1", role: "owner" } }],
  ...(["booking_confirmed", "counselor_new", "help_customer"] as const).map(
    (kind): [MessageKind, string, Variant] => [kind, "its link awaited", { booking: awaited }],
  ),
  ...(["reminder_24h", "counselor_reminder"] as const).map(
    (kind): [MessageKind, string, Variant] => [
      ...([kind, "a day before, its link awaited"] as const),
      { data: { hours: 24 }, booking: awaited },
    ],
  ),
  ["help_customer", "the captain calls", { booking: called }],
  ["booking_rescheduled", "no longer changeable", { now: startsAt - 3_600_000 }],
  ["refund_under_way", "by staff", byStaff("It began late")],
  ["refund_under_way", "by staff, a whole sentence", byStaff("It began late.")],
  ...(["customer", "captain"] as const).map((side): [MessageKind, string, Variant] => [
    ...(["admin_help", `the ${side}'s, a captain without an address`] as const),
    { ...help({ side }), booking: { counselorEmail: null } },
  ]),
  ["admin_help", "asks for a new time", help({ asks: "move" })],
  ["admin_help", "asks for the money", help({ asks: "refund" })],
  ["admin_doctor", "one problem", { data: { findings: [oneFinding!] } }],
  ["counselor_new", "for a student", { booking: { student: KABIR } }],
  ["booking_links", "of two", { bookings: [sampleAppointment(), sampleAppointment(heldAt(0))] }],
  ["booking_links", "of none", { bookings: [] }],
];

const KINDS = Object.keys(MESSAGE_KINDS) as MessageKind[];

/** The subject, what fills WhatsApp's places, and the text. */
function linesOf(kind: MessageKind, { booking, ...more }: Variant): string[] {
  const rendered = renderMessage(kind, { ...sampleInput(kind, booking), ...more });
  const places = (rendered.whatsappParameters ?? []).map((place, i) => `{{${i + 1}}} ${place}`);
  return [`Subject: ${rendered.subject}`, ...places, "", ...rendered.text.split("\n")];
}

it("is written so, of each kind, as text and for WhatsApp", async () => {
  const footers = new Set<string>();
  const messages = KINDS.map((kind) => {
    const message = linesOf(kind, {}).join("\n");
    const footer = message.slice(message.lastIndexOf("\nCaptain's Briefing: "));
    const known = footers.has(footer);
    footers.add(footer);
    return `##### ${kind}\n${known ? message.replace(footer, "") : message}`;
  });
  await expect(messages.join("\n")).toMatchFileSnapshot("golden/messages.txt");
});

it("differs so in other states: what goes, what comes", async () => {
  const changes = VARIANTS.map(([kind, name, variant]) => {
    const [usual, other] = [linesOf(kind, {}), linesOf(kind, variant)];
    const goes = usual.filter((line) => !other.includes(line)).map((line) => `- ${line}`);
    const comes = other.filter((line) => !usual.includes(line)).map((line) => `+ ${line}`);
    return [`##### ${kind}: ${name}`, ...goes, ...comes, ""].join("\n");
  });
  await expect(changes.join("\n")).toMatchFileSnapshot("golden/other-states.txt");
});

it("shows beside the subject, in each kind and state, what matters most", async () => {
  const previews = [...KINDS.map((kind) => [kind, "", {}] as const), ...VARIANTS].map(
    ([kind, name, { booking, ...more }]: readonly [MessageKind, string, Variant]) => {
      const { html } = renderMessage(kind, { ...sampleInput(kind, booking), ...more });
      const preview = /mso-hide:all">([^&]*(?:&#39;[^&]*)*)&#8199;/.exec(html)?.[1];
      const tone = /<td class="(good|waiting|bad)"/.exec(html)?.[1];
      return `${kind}${name && ` (${name})`}: ${tone ? `[${tone}] ` : ""}${preview}`;
    },
  );
  await expect(`${previews.join("\n")}\n`).toMatchFileSnapshot("golden/previews.txt");
});

it("is laid out so in HTML, block by block", async () => {
  const input = sampleInput("booking_confirmed");
  const appointment = sampleAppointment();
  const { pass } = customerPass({ ...input, appointment });
  const content = {
    subject: `"A" & 'B' <c>`,
    preview: "Beside the subject",
    heading: "A heading",
    blocks: [
      { type: "paragraph", text: "A paragraph" },
      { type: "heading", text: "A second heading" },
      { type: "list", items: ["One", "Two"] },
      {
        type: "facts",
        facts: [
          { label: "Fact", value: "v" },
          { label: "Link", value: "a", url: "b:c" },
        ],
      },
      { type: "button", label: "Press", url: "https://a.example/?a&b" },
      { type: "link", before: "Open ", label: "this", url: "https://a.example/", after: "." },
      { type: "code", code: "012345" },
      { type: "pass", pass },
      { type: "pass", pass: { ...pass, tone: "waiting", name: null, price: [] } },
      { type: "pass", pass: { ...pass, tone: "bad", price: pass.price.slice(0, 1) } },
    ],
    footer: {
      brand: "Brand",
      tagline: "Tagline",
      business: "Business",
      address: "Address",
      email: "a@b.in",
      phone: "+91 98765 43210",
      grievance: "Officer",
      reason: "Reason",
    },
  } satisfies Parameters<typeof renderHtml>[0];
  await expect(renderHtml(content).replaceAll("><", ">\n<")).toMatchFileSnapshot(
    "golden/html-blocks.txt",
  );
  const bare = { ...content.footer, phone: null, grievance: null };
  const footer = renderHtml({ ...content, blocks: [], footer: bare })
    .split("<tr><td")
    .at(-1);
  expect(footer).not.toMatch(/Grievances|tel:|or call/);
  await expect(renderText(content)).toMatchFileSnapshot("golden/text-blocks.txt");
  expect(renderText({ ...content, blocks: [], footer: bare })).not.toMatch(/Grievances|Call/);
});

it("breaks lines at 72 characters, at blanks alone, and indents what goes on", () => {
  const wrapped = (text: string, type: "paragraph" | "list" = "paragraph") => {
    const block = type === "list" ? { type, items: [text] } : { type, text };
    const { footer: _, ...input } = { ...sampleInput("reset_code"), footer: null };
    const footer = { ...{ brand: "", tagline: "", business: "", address: "", email: "" } };
    const whole = { ...footer, phone: null, grievance: null, reason: "" };
    const content = { ...input, subject: "", preview: "", heading: "H", footer: whole };
    return renderText({ ...content, blocks: [block] })
      .split("\n\n")[1]
      ?.split("\n");
  };
  const [long, word] = ["a".repeat(60), (length: number) => "b".repeat(length)];
  expect(wrapped(`${long} ${word(11)}`)).toEqual([`${long} ${word(11)}`]);
  expect(wrapped(`${long} ${word(12)}`)).toEqual([long, word(12)]);
  expect(wrapped(`${word(90)} c`)).toEqual([word(90), "c"]);
  expect(wrapped(`a  b\nc ${word(71)}`)).toEqual(["a b", "c", word(71)]);
  expect(wrapped("a\nb", "list")).toEqual(["- a", "  b"]);
  expect(wrapped(`${long} ${word(10)} d`, "list")).toEqual([`- ${long}`, `  ${word(10)} d`]);
});

it("fits a name or a captain for WhatsApp into 60 characters, cuts no meeting link, and fills an empty name", () => {
  const url = `https://meet.example/${"m".repeat(150)}`;
  const changes = { counselor: "C".repeat(90), meeting: { kind: "link", url } } as const;
  const captained = sampleInput("booking_confirmed", changes);
  const { whatsappParameters } = renderMessage("booking_confirmed", captained);
  expect(whatsappParameters?.[1]).toHaveLength(60);
  expect(whatsappParameters?.[3]).toContain(`${url} `);
  const named = (name: string) => {
    const input = sampleInput("booking_confirmed", { contact: { ...SAMPLE_CONTACT, name } });
    return renderMessage("booking_confirmed", input).whatsappParameters?.[0];
  };
  expect(named(" a\n\tb ")).toBe("a b");
  expect(named(" \n")).toBe("-");
  expect(named("😀".repeat(60))).toBe("😀".repeat(60));
  expect(named("😀".repeat(61))).toBe(`${"😀".repeat(59)}…`);
});
