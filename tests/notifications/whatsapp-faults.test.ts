/** What a fault of WhatsApp does to its messages: waits, stops, and what the owner is told. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { MessageEvent } from "#app/model/message-events.ts";
import { runOutbox } from "#app/notifications/outbox.server.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import { findMessage } from "#db/queries/messages.server.ts";
import { makeWorld, until, type World } from "./setup.ts";

let world: World;

beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

function queue(event: MessageEvent): void {
  queueMessages(world.deps.db, world.deps.env, world.now(), event);
}

const run = () => runOutbox(world.deps);
const states = () => world.messages().map(({ state }) => state);

describe("a fault of WhatsApp", () => {
  const only = (code: number, count = 1) =>
    world.sandbox.switches.set({ name: "whatsapp_error", value: code, count });
  const whatsapp = () => world.messages().find(({ channel }) => channel === "whatsapp");

  it("130429: tried again within 5 seconds", async () => {
    queue({ type: "reminder", appointment: world.addAppointment(), hours: 24 });
    only(130429);
    const start = world.now();
    await until(world, () => whatsapp()?.state === "sent", run);
    expect(world.now() - start).toBeLessThan(5_500);
  });

  it("80007 twice: the second try waits the half minute that the account needs", async () => {
    queue({ type: "reminder", appointment: world.addAppointment(), hours: 24 });
    only(80007, 2);
    const start = world.now();
    await until(world, () => whatsapp()?.attempts === 2, run);
    expect(world.now() - start).toBeLessThan(5_500);
    const wait = (findMessage(world.deps.db, whatsapp()?.id ?? "")?.nextTryAt ?? 0) - world.now();
    expect(wait).toBeGreaterThan(25_000);
  });

  it("tells the owner of each trouble once a day", async () => {
    for (const code of [132001, 132015, 132015]) {
      queue({ type: "reminder", appointment: world.addAppointment(), hours: 24 });
      only(code);
      await run();
    }
    const alerts = world.messages().filter(({ kind }) => kind === "admin_whatsapp_trouble");
    expect(alerts).toHaveLength(2);
  });

  it.each([
    [131026, "warn"],
    [132001, "error"],
  ] as const)("%s: one line in the log, at level %s", async (code, level) => {
    const levels = ["warn", "error"] as const;
    const lines = levels.map((one) => [one, vi.spyOn(world.deps.log, one)] as const);
    queue({ type: "reminder", appointment: world.addAppointment(), hours: 24 });
    only(code);
    await run();
    const logged = lines.flatMap(([one, { mock }]) => mock.calls.map((call) => [one, call[0]]));
    const about = { queue: "outbox whatsapp", kind: "reminder_24h", code: `WhatsApp ${code}` };
    expect(logged).toMatchObject([[level, about]]);
  });

  it("a number without its country's code is not sent to", async () => {
    const message = { messageId: "m", to: "9876512345", template: "reminder_24h", parameters: [] };
    const sent = world.deps.senders.whatsapp!.send(message, AbortSignal.timeout(5_000));
    expect(await sent).toMatchObject({ outcome: "park", code: "NUMBER" });
  });

  it("131026: parked; the mail goes out all the same", async () => {
    queue({ type: "reminder", appointment: world.addAppointment(), hours: 24 });
    only(131026);
    await run();
    expect(states().sort()).toEqual(["failed", "sent", "sent"]);
    expect(whatsapp()?.last_error).toContain("131026");
  });

  it("190: the channel stops, the admin is told once, and it goes out later", async () => {
    queue({ type: "reminder", appointment: world.addAppointment(), hours: 24 });
    only(190);
    await until(world, () => whatsapp()?.state === "sent", run);
    const alerts = world.messages().filter(({ kind }) => kind === "admin_whatsapp_trouble");
    expect(alerts).toMatchObject([{ state: "sent", recipient: "hello@captains.example" }]);
  });

  it("a lost answer is mended by the delivery report: one message only", async () => {
    queue({ type: "reminder", appointment: world.addAppointment(), hours: 24 });
    world.sandbox.switches.set({ name: "whatsapp_answer_lost", count: 1 });
    await run();
    expect(whatsapp()).toMatchObject({ state: "retrying" });
    expect(world.sandbox.whatsapp.messages).toHaveLength(1);
  });
});
