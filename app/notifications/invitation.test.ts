/** Calendar files of every state, whole, against a golden file. */
import { expect, it } from "vitest";
import { parseEnv } from "#app/core/env.server.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { SAMPLE_NOW, sampleAppointment, windowUntil } from "#tests/support/sample-messages.ts";
import { bookingCalendarFile, captainEvent, invitationFile } from "./invitation.server.ts";

const { env } = parseEnv({ PUBLIC_URL: "https://book.captains.example" });

const pending = {
  status: "pending_payment",
  paymentId: null,
  window: windowUntil(SAMPLE_NOW + 3_600_000),
} as const;
const { contact } = sampleAppointment();
const attendee = { name: "Priya", email: "priya@visitors.example" };
const moved = { status: "rescheduled", calendarSequence: 1 } as const;
const cancelled = { status: "cancelled", calendarSequence: 2 } as const;
const erased = { name: "", email: "", phone: "", notes: null };

const own = (changes: Partial<Appointment> = {}) =>
  bookingCalendarFile(env, sampleAppointment(changes), SAMPLE_NOW);
const mailed = (audience: "customer" | "counselor", changes: Partial<Appointment> = {}) => {
  const method = changes.status === "cancelled" ? "CANCEL" : "REQUEST";
  const invite = { method, attendee, audience, now: SAMPLE_NOW } as const;
  return invitationFile(env, sampleAppointment(changes), invite);
};
const inFeed = (counselorKey: string) => {
  const { summary, location } = captainEvent(
    env,
    sampleAppointment({ counselorKey, contact: erased }),
    SAMPLE_NOW,
  );
  return `SUMMARY:${summary}\nLOCATION:${location}`;
};

it("the calendar entry in each state is this one", async () => {
  const all = {
    "of a paid session": own(),
    "mailed to the customer": mailed("customer"),
    "of an unpaid session": own(pending),
    "of a moved session": own(moved),
    "mailed, moved": mailed("customer", moved),
    "of a cancelled session": own(cancelled),
    "mailed, cancelled": mailed("customer", cancelled),
    "of a cancelled session that was never paid": own({ ...cancelled, paymentId: null }),
    "mailed to the captain, with a question": mailed("counselor"),
    "mailed to the captain, without a question": mailed("counselor", {
      contact: { ...contact, notes: "" },
    }),
    "mailed to the captain, cancelled": mailed("counselor", cancelled),
    "in the feed of an erased customer": inFeed("asha"),
    "in the feed of an erased customer who is called": inFeed("rohan"),
  };
  const files = Object.entries(all).map(([name, file]) => `##### ${name}\n${file}`);
  const text = files.join("\n").replaceAll("\r\n ", "").replaceAll("\r\n", "\n");
  await expect(text).toMatchFileSnapshot("golden-invitations.txt");
});

it("the file of a booking agrees with the mailed one in all but its method and its guests", () => {
  const fieldsOf = (file: string) => {
    const names = ["UID", "SEQUENCE", "DTSTART", "DTEND", "LOCATION", "STATUS"];
    return file.split("\r\n").filter((line) => names.includes(line.split(":")[0] ?? ""));
  };
  for (const changes of [{}, moved, cancelled]) {
    expect(fieldsOf(own(changes))).toEqual(fieldsOf(mailed("customer", changes)));
    expect(fieldsOf(own(changes))).toHaveLength(6);
  }
});
