/** The clock goes a day ahead, or back, while a mail is in hand. */
import { expect, it } from "vitest";
import type { Senders, SendResult } from "#app/core/services.ts";
import { runClock } from "#app/jobs/worker.server.ts";
import { DAY } from "#app/model/dates.ts";
import { runOutbox } from "#app/notifications/outbox.server.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import { freshDeps } from "#tests/support/hooks.ts";

const test = freshDeps({ BUSINESS_EMAIL: "hello@captains.example" });

it.each([
  { word: "ahead", ms: DAY },
  { word: "back", ms: -DAY },
])("a clock $word: no mail goes out twice, and the next one does go out", async ({ ms }) => {
  const { deps, clock } = test;
  const begun = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const sent: string[] = [];
  const mail = {
    async send({ subject }: { subject: string }): Promise<SendResult> {
      sent.push(subject);
      begun.resolve();
      if (sent.length === 1) await answered.promise;
      return { outcome: "sent", transportId: "x" };
    },
  };
  const all = { ...deps, senders: { mail, whatsapp: null } as unknown as Senders };
  const queue = (error: string) =>
    queueMessages(deps.db, deps.env, clock.now, { type: "backup_failed", at: clock.now, error });
  queue("first");
  const run = runOutbox(all);
  await begun.promise;
  clock.now += ms;
  await runClock(all);
  queue("second");
  // Longer than a run waits between two looks.
  await new Promise((done) => setTimeout(done, 300));
  expect(sent).toHaveLength(1);
  answered.resolve();
  expect(await run).toBe(2);
  expect(sent).toHaveLength(2);
  expect(deps.db.allRaw("SELECT DISTINCT state, attempts FROM message")).toEqual([
    { state: "sent", attempts: 1 },
  ]);
});
