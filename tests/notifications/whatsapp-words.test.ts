/** STOP and START of a number, as Meta tells them: late, twice and in any order. */
import { describe, expect, it } from "vitest";
import { isOptedOut } from "#db/queries/message-leases.server.ts";
import { sharedWorld, tellWhatsApp } from "./setup.ts";

const PHONE = "+919876512345";

const world = sharedWorld("opt_out");

/** Written at `second` of the sender's clock. */
const wrote = (body: string, second: number, from = PHONE) => ({
  from: from.slice(1),
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

  // WhatsApp's id of the sender has a digit more or less than the number that messages go to.
  it.each([
    { typed: "+525512345678", sender: "+5215512345678", other: "+525512345679" },
    { typed: "+541123456789", sender: "+5491123456789", other: "+541123456780" },
    { typed: "+5531987654321", sender: "+553187654321", other: "+5531937654321" },
  ])("of $sender hold for $typed, the last one under either, and not for $other", (numbers) => {
    const { typed, sender, other } = numbers;
    const { db } = world.deps;
    const tell = (body: string, second: number, from: string) =>
      tellWhatsApp(world, { messages: [wrote(body, second, from)] });
    const out = () => [typed, sender, other].map((phone) => isOptedOut(db, phone));
    tell("STOP", 2, sender);
    expect(out()).toEqual([true, true, false]);
    // An older word under the other form, then a newer one.
    tell("START", 1, typed);
    expect(out()).toEqual([true, true, false]);
    tell("START", 3, typed);
    expect(out()).toEqual([false, false, false]);
    tell("STOP", 3, other);
    expect(out()).toEqual([false, false, true]);
    tell("STOP", 3, sender);
    expect(out()).toEqual([true, true, true]);
  });
});
