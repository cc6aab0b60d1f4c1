import { beforeEach, describe, expect, it } from "vitest";
import { HOUR, MINUTE } from "#app/model/duration.ts";
import { OWNER_ALERTS } from "#app/model/messages.ts";
import { alertOwner } from "#app/notifications/queue.server.ts";
import { inTransaction } from "#db/connection.server.ts";
import { shared } from "#tests/support/hooks.ts";
import { makeWorld } from "./setup.ts";

const START = 1_800_000_000_000;

const world = shared(makeWorld, (made) => made.close());
beforeEach(() => void world.deps.db.runRaw("DELETE FROM message"));

const alertAt = (now: number, alert = OWNER_ALERTS[0] as (typeof OWNER_ALERTS)[number]) =>
  alertOwner(world.deps.db, world.deps.env, now, alert);

describe("the owner's alerts", () => {
  it("go to the business address, one mail an hour however long it lasts", () => {
    let sent = 0;
    for (let at = START; at < START + 5 * HOUR; at += MINUTE / 2) if (alertAt(at)) sent += 1;
    expect(sent).toBe(5);
    expect(world.messages()).toHaveLength(5);
    expect(world.messages()[0]).toMatchObject({
      kind: "admin_alert",
      channel: "email",
      recipient: world.deps.env.business.email,
    });
  });

  it("keep the hour across its edge, and are due again at its end", () => {
    const beforeTheEdge = Math.ceil(START / HOUR) * HOUR - 1;
    expect(alertAt(beforeTheEdge)).toBe(true);
    expect(alertAt(beforeTheEdge + 2)).toBe(false);
    expect(alertAt(beforeTheEdge + HOUR - 1)).toBe(false);
    expect(alertAt(beforeTheEdge + HOUR)).toBe(true);
  });

  it("do not silence each other", () => {
    expect(OWNER_ALERTS.map((alert) => alertAt(START, alert))).toEqual(
      OWNER_ALERTS.map(() => true),
    );
  });

  it("roll back with their cause, and are then due again", () => {
    expect(() =>
      inTransaction(world.deps.db, () => {
        alertAt(START);
        throw new Error("the cause failed");
      }),
    ).toThrow("the cause failed");
    expect(alertAt(START + 1)).toBe(true);
  });
});
