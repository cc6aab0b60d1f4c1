import { expect, it } from "vitest";
import { parseEnv } from "#app/core/env.server.ts";
import { SAMPLE_NOW, sampleAppointment, windowUntil } from "#tests/support/sample-messages.ts";
import { bookingCalendarFile } from "./invitation.server.ts";
import { joinSentence } from "./templates/pass.ts";

const { env } = parseEnv({ PUBLIC_URL: "https://book.captains.example" });

const pending = {
  status: "pending_payment",
  paymentId: null,
  window: windowUntil(SAMPLE_NOW + 3_600_000),
} as const;

it.each([
  ["a paid", {}, joinSentence(sampleAppointment())],
  ["an unpaid", pending, "Shown once you have paid"],
])("the calendar entry of %s session says how to join, or what is missing", (_, changes, says) => {
  const appointment = sampleAppointment(changes);
  const file = bookingCalendarFile(env, appointment, SAMPLE_NOW).replaceAll("\r\n ", "");
  const description = /^DESCRIPTION:(.*)$/m.exec(file)?.[1]?.replaceAll("\\,", ",");
  const url = `https://book.captains.example/booking/${appointment.id}`;
  expect(description?.trim()).toBe(`${says}\\n${url}`);
});
