/** What a fault of WhatsApp does to its messages: waits, stops, and what the owner is told. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { MessageEvent } from "#app/model/message-events.ts";
import { runOutbox } from "#app/notifications/outbox.server.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import { makeWorld, type World } from "./setup.ts";

let world: World;

beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

function queue(event: MessageEvent): void {
  queueMessages(world.deps.db, world.deps.env, world.now(), event);
}

const run = () => runOutbox(world.deps);
describe("a fault of WhatsApp", () => {
  const only = (code: number, count = 1) =>
    world.sandbox.switches.set({ name: "whatsapp_error", value: code, count });

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
});
