import { afterEach, describe, expect, it } from "vitest";
import { COUNSELORS } from "#app/catalogue.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { MINUTE } from "#app/model/dates.ts";
import { MESSAGE_KINDS, type MessageKind } from "#app/model/messages.ts";
import { SAMPLE_CONTACT, sampleAppointment, sampleInput } from "#tests/support/sample-messages.ts";
import { renderMessage } from "./index.ts";
import { isWhatsAppKind, whatsAppTemplate } from "./whatsapp.ts";

const KINDS = Object.keys(MESSAGE_KINDS) as MessageKind[];

const HOSTILE = '<script>alert("1")</script>\r\nBcc: all@visitors.example';

describe.each(KINDS)("%s", (kind) => {
  const message = renderMessage(kind, sampleInput(kind));

  it("says the same in text and HTML, without a hole", () => {
    for (const part of [message.subject, message.text, message.html]) {
      expect(part).not.toMatch(/undefined|null|NaN|\[object|Invalid/);
      expect(part.trim()).not.toBe("");
    }
    const isForCustomer = MESSAGE_KINDS[kind].audience === "customer";
    expect(/grievance@/.test(message.text)).toBe(isForCustomer);
    expect(/grievance@/.test(message.html)).toBe(isForCustomer);
    // The mails to the business itself do not tell it to write to itself.
    const isForOwner = kind.startsWith("admin_");
    expect(/Questions\?/.test(message.html)).toBe(!isForOwner);
    expect(/^Write: /m.test(message.text)).toBe(!isForOwner);
    expect(message.html).toContain("prefers-color-scheme:dark");
    expect(message.html).not.toMatch(/<img|src=|url\(/);
    for (const row of message.html.match(/^<tr><td class="cell" width.*/gm) ?? []) {
      const cells = row.match(/(?<=class="cell" width=")\d+%" (colspan="2")?/g);
      expect(['100%" colspan="2"', '50%" ,50%" ']).toContain(cells?.join());
    }
    // It may be read aloud: no rules drawn with signs, no address of a phone call.
    expect(message.text).not.toMatch(/[-=_*[\]]{2}|\[|tel:|mailto:/);
    // Wider only for the sake of a single word.
    expect(message.text).not.toMatch(/^(?=.{73})(\S+:? +)?\S+ +\S/m);
    // Every address of the HTML stands in the text too.
    const links = [...message.html.matchAll(/href="(https?:[^"]+)"/g)].map(([, url]) => url ?? "");
    for (const link of links) expect(message.text).toContain(link.replaceAll("&amp;", "&"));
  });

  it("escapes what people typed and keeps headers on one line", () => {
    const input = sampleInput(kind, {
      contact: { name: HOSTILE, notes: HOSTILE, email: `x"<b>@visitors.example`, phone: HOSTILE },
    });
    const hostile = renderMessage(kind, { ...input, data: { ...input.data, error: HOSTILE } });
    expect(hostile.html).not.toContain("<script");
    expect(hostile.html).not.toContain("<b>");
    expect(hostile.subject).not.toMatch(/[\r\n]/);
  });
});

it("a mail about an unpaid booking promises to go on only while its page would", () => {
  const { now } = sampleInput("booking_unpaid");
  const goesOn = (changes: Partial<Appointment>) =>
    renderMessage("booking_unpaid", sampleInput("booking_unpaid", changes)).text.includes(
      "where you stopped",
    );
  const begins = (minutes: number) => goesOn({ startsAt: now + minutes * MINUTE });
  const made = (minutes: number) => goesOn({ createdAt: now - minutes * MINUTE });
  expect([begins(61), begins(60), made(104), made(105)]).toEqual([true, false, true, false]);
});

describe("a booking that was never paid", () => {
  const words = "Cheap-Pills";
  const typed = { name: words, notes: words, phone: words, email: `${words}@visitors.example` };
  const kinds = KINDS.filter((kind) => MESSAGE_KINDS[kind].audience === "customer").filter(
    (kind) =>
      // Of a booking that staff made what they typed is no stranger's.
      !["booking_confirmed", "payment_link"].includes(kind) && !kind.startsWith("reminder"),
  );

  it.each(kinds)("%s holds nothing that was typed into it", (kind) => {
    for (const status of ["pending_payment", "cancelled"] as const) {
      for (const data of [{ wasPaid: false }, {}]) {
        const changes = { contact: typed, status, paymentId: null };
        const input = sampleInput(kind, changes);
        const bookings = input.bookings.map(() => sampleAppointment(changes));
        const merged = { ...input, bookings, data: { ...input.data, ...data } };
        const { subject, text, html } = renderMessage(kind, merged);
        expect(`${subject} ${text} ${html}`).not.toContain(words);
      }
    }
  });
});

describe("WhatsApp parameters", () => {
  const kinds = KINDS.filter(isWhatsAppKind);

  it.each(kinds)("%s fills every place with what Meta accepts", (kind) => {
    for (const changes of [{}, { name: `${HOSTILE}\t     ${"ನಮಸ್ಕಾರ ".repeat(60)}` }]) {
      const contact = { ...SAMPLE_CONTACT, ...changes };
      const { whatsappParameters } = renderMessage(kind, sampleInput(kind, { contact }));
      const parameters = whatsappParameters ?? [];
      const { body } = whatsAppTemplate(kind);
      expect(new Set(body.match(/\{\{\d+\}\}/g)).size).toBe(parameters.length);
      for (const parameter of parameters) {
        expect(parameter).not.toBe("");
        expect([...parameter].length).toBeLessThanOrEqual(160);
        expect(parameter).not.toMatch(/[\n\r\t]| {4}/);
      }
      expect(parameters.join("").length).toBeLessThanOrEqual(1024);
      const filled = body.replace(/\{\{(\d+)\}\}/g, (_, place) => parameters[place - 1] ?? "");
      expect(filled.length).toBeLessThanOrEqual(1024);
      // The links must arrive whole.
      expect(parameters.at(-1)).toMatch(
        /^https:\/\/book\.captains\.example\/booking\/[a-z0-9]{26}$/,
      );
    }
  });

  const asha = COUNSELORS[0]!;
  const { meeting } = asha;
  afterEach(() => void Object.assign(asha, { meeting }));

  it.each(["booking_confirmed", "booking_rescheduled"] as const)(
    "%s holds a long meeting link whole, or none of it",
    (kind) => {
      const contact = { ...SAMPLE_CONTACT, name: "Ananthapadmanabhan ".repeat(6) };
      const { body } = whatsAppTemplate(kind);
      const joiningOf = (url: string) => {
        Object.assign(asha, { meeting: { kind: "link", url } });
        const input = sampleInput(kind, { contact, counselor: "Capt. ".repeat(20) });
        const parameters = renderMessage(kind, input).whatsappParameters ?? [];
        const filled = body.replace(/\{\{(\d+)\}\}/g, (_, place) => parameters[place - 1] ?? "");
        expect(filled.length).toBeLessThanOrEqual(1024);
        return parameters.find((parameter) => parameter.includes("PM IST, open"));
      };
      const url = (length: number) => "https://meet.example/j/".padEnd(length, "pwd");
      expect(joiningOf(url(250))).toMatch(`, open ${url(250)} on a phone or computer.`);
      expect(joiningOf(url(270))).toMatch(new RegExp(`, open ${url(270)} .*…$`));
      expect(joiningOf(url(320))).toMatch(/, open…$/);
    },
  );

  it("keep the longest sentence of each kind whole", () => {
    for (const kind of kinds) {
      const input = sampleInput(kind, { counselorKey: "rohan", counselor: "Capt. Rohan Sample" });
      expect(renderMessage(kind, input).whatsappParameters?.join()).not.toContain("…");
    }
  });
});

describe("the words follow the state", () => {
  it("never speaks of WhatsApp to a customer by mail", () => {
    for (const kind of KINDS.filter((k) => MESSAGE_KINDS[k].audience === "customer")) {
      expect(renderMessage(kind, sampleInput(kind)).text).not.toMatch(/whatsapp/i);
    }
  });

  it("speaks of calling us only where there is a number to call", () => {
    for (const kind of KINDS) {
      const input = sampleInput(kind);
      const business = { ...input.site.business, phone: null };
      const { text, html } = renderMessage(kind, { ...input, site: { ...input.site, business } });
      expect(text + html).not.toMatch(/call us|or call|^Call:/m);
      const calls = renderMessage(kind, input).text.includes("Call:  +91 98765 43210");
      expect(calls).toBe(!kind.startsWith("admin_"));
    }
  });
});

it("a plan's numbered list keeps its numbers, and a list of points has none", () => {
  const input = sampleInput("session_plan");
  const items = [[{ text: "one" }], [{ text: "two" }]];
  const htmlOf = (start: number | null) =>
    renderMessage("session_plan", { ...input, plan: [{ type: "list", start, items }] }).html;
  expect(htmlOf(3)).toMatch(/<ol start="3"[^>]*>.*one.*two.*<\/ol>/);
  expect(htmlOf(null)).toMatch(/<ul [^>]*>.*one.*two.*<\/ul>/);
  expect(htmlOf(null)).not.toContain("<ol");
});
