/** STOP and START of a number, as Meta tells them: late, twice and in any order. */
import { describe, expect, it } from "vitest";
import { isOptedOut } from "#db/queries/message-leases.server.ts";
import { sharedWorld, tellWhatsApp } from "./setup.ts";

const PHONE = "+919876512345";

const world = sharedWorld("opt_out");

/** Written at `second` of the sender's clock. */
const wrote = (body: string, second: number) => ({
  from: PHONE.slice(1),
  id: "wamid.in",
  timestamp: String(second),
  type: "text",
  text: { body },
});
const says = (body: string, second = 1) => tellWhatsApp(world, { messages: [wrote(body, second)] });
const isOut = () => isOptedOut(world.deps.db, PHONE);

describe("words", () => {
  it.each(["STOP", "stop.", " Stop ", "UNSUBSCRIBE", "बंद करो"])("%s opts out", (word) => {
    expect(says(word)).toMatchObject({ value: { words: 1 } });
    expect(isOut()).toBe(true);
    expect(says("START", 2)).toMatchObject({ value: { words: 1 } });
    expect(isOut()).toBe(false);
  });

  it.each(["stop by at 5?", "cancel", "", "please do not stop"])("%j does not", (word) => {
    says(word);
    expect(isOut()).toBe(false);
  });

  // Meta repeats a body for days, in any order.
  it.each([
    { told: ["START 1", "STOP 2", "START 1"], out: true },
    { told: ["STOP 1", "START 2", "STOP 1"], out: false },
    { told: ["START 2", "STOP 1"], out: false },
    { told: ["STOP 2", "START 1"], out: true },
    { told: ["STOP 1", "STOP 3", "START 2"], out: true },
    // Within one second nobody knows; a refusal is honoured.
    { told: ["STOP 1", "START 1"], out: true },
    { told: ["START 1", "STOP 1"], out: true },
  ])("count by when they were written: $told, in one body and in many", ({ told, out }) => {
    const messages = told.map((each) => each.split(" ")).map(([b, at]) => wrote(b!, Number(at)));
    for (const message of messages) tellWhatsApp(world, { messages: [message] });
    expect(isOut()).toBe(out);
    world.deps.db.runRaw("DELETE FROM opt_out");
    tellWhatsApp(world, { messages });
    expect(isOut()).toBe(out);
  });

  it("that change nothing are not counted", () => {
    const applied = (body: string, second: number) => {
      const told = says(body, second);
      return told.ok && told.value.words;
    };
    expect([applied("stop", 2), applied("stop", 2), applied("start", 1)]).toEqual([1, 0, 0]);
  });
});
