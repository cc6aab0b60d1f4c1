/** The mails of one booking are one conversation, and the last one is right, the captain's too. */
import PostalMime from "postal-mime";
import { expect, it } from "vitest";
import type { MessageEvent } from "#app/model/message-events.ts";
import { runOutbox } from "#app/notifications/outbox.server.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import { fresh } from "#tests/support/hooks.ts";
import { change, makeWorld } from "./setup.ts";

const world = fresh(makeWorld, (made) => made.close());

async function tell(event: MessageEvent): Promise<void> {
  queueMessages(world.deps.db, world.deps.env, world.now(), event);
  await runOutbox(world.deps);
}

it("replies to one root that is not the booking's id, under a subject that ends alike", async () => {
  const one = world.addAppointment({ calendarUid: "uid1" });
  const other = world.addAppointment({ calendarUid: "uid2" });
  await tell({ type: "confirmed", appointment: one });
  const moved = change(world, one.id, { status: "rescheduled", calendar_sequence: 1 });
  const previous = { date: "2026-11-19", timeSlot: "09:00" };
  await tell({ type: "rescheduled", appointment: moved, previous, by: "admin" });
  const off = change(world, one.id, { status: "cancelled", calendar_sequence: 2 });
  await tell({ type: "cancelled", appointment: off, wasPaid: true, refundId: null, by: "admin" });
  await tell({ type: "confirmed", appointment: other });
  const threads = world.sandbox.mailbox.list().map((mail) => {
    const headers = new Map(mail.headers.map(({ key, value }) => [key, value]));
    expect(headers.get("in-reply-to")).toBe(headers.get("references"));
    return { root: headers.get("references"), to: mail.envelope.to.join(), subject: mail.subject };
  });
  const roots = Map.groupBy(threads, ({ root }) => root);
  expect([...roots].map(([root, mails]) => [root, mails.length])).toEqual([
    ["<uid1@captains.example>", 6],
    ["<uid2@captains.example>", 2],
  ]);
  for (const [mailbox, mails] of Map.groupBy(threads.slice(0, 6), ({ to }) => to)) {
    const codes = mails.map(({ subject }) => subject.split(" ").at(-1));
    expect([mailbox, new Set(codes).size, codes.length]).toEqual([mailbox, 1, 3]);
    expect(new Set(mails.map(({ subject }) => subject)).size).toBe(3);
  }
  expect(JSON.stringify(threads)).not.toContain(one.id);
});

it("notifies the captain of a corrected phone, in the mail and in the calendar that names it", async () => {
  const counselor = { counselorKey: "rohan", counselor: "Capt. Rohan Sample" };
  const one = world.addAppointment(counselor);
  await tell({ type: "confirmed", appointment: one });
  const appointment = change(world, one.id, { phone: "+919845099887" });
  await tell({ type: "contact_corrected", appointment, changed: ["phone"] });
  const mails = world.sandbox.mailbox.list({ to: "rohan@captains.example" });
  const [first, second, ...more] = mails;
  expect(more).toEqual([]);
  const linesOf = async (mail: typeof first) => {
    const { attachments } = await PostalMime.parse(world.sandbox.mailbox.find(mail!.n)!.raw);
    const file = attachments.find(({ mimeType }) => mimeType === "text/calendar");
    const text = new TextDecoder().decode(file?.content as ArrayBuffer);
    return text.replace(/\r?\n /g, "").split(/\r?\n/);
  };
  expect(first!.text).toContain("+91 98765 12345");
  expect(second!.subject).toContain("Details corrected");
  expect(second!.text).toContain("+91 98450 99887");
  expect(second!.text).not.toContain("98765 12345");
  const [before, after] = [await linesOf(first), await linesOf(second)];
  expect(after).toContain("METHOD:REQUEST");
  expect(after.join()).toContain("+919845099887");
  const uid = (line: string) => line.startsWith("UID:") || line.startsWith("SEQUENCE:");
  expect(after.filter(uid)).toEqual(before.filter(uid));
  expect(after.filter(uid)).toHaveLength(2);
});
