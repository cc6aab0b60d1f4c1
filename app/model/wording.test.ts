import { expect, it } from "vitest";
import { instantOf } from "./dates.ts";
import { messageLabel } from "./messages.ts";
import { OFFLINE_METHODS } from "./statuses.ts";
import { paymentMethodLabel, stampWords } from "./wording.ts";

const heldUntil = instantOf("2026-11-21", "14:00");

it.each<[Partial<Parameters<typeof stampWords>[0]>, string]>([
  [{ status: "pending_payment", heldUntil }, "Held until 2:00 PM IST"],
  [{ status: "pending_payment", heldUntil, isChecking: true }, "Payment being checked"],
  [{ status: "pending_payment", isOver: true }, "Not paid"],
  [{ status: "confirmed" }, "Confirmed"],
  [{ status: "confirmed", isOver: true }, "Session over"],
  [{ status: "rescheduled", refund: "pending" }, "Rescheduled"],
  [{ status: "rescheduled", isOver: true }, "Session over"],
  [{ status: "cancelled", isOver: true }, "Cancelled"],
  [{ status: "cancelled", refund: "needs_person" }, "Cancelled – refund delayed"],
])("the stamp of %j is %s", (facts, words) => {
  expect(
    stampWords({
      status: "confirmed",
      refund: null,
      heldUntil: null,
      now: 1_795_249_000_000,
      ...facts,
    }),
  ).toBe(words);
});

it("a message of an unknown kind is named by its code", () => {
  expect(messageLabel("reminder_1h")).toBe("Reminder, one hour before");
  expect(messageLabel("toString")).toContain("toString");
});

it("a way of paying begins with a capital in a column", () => {
  const labels = [...OFFLINE_METHODS, "wallet"].map(paymentMethodLabel);
  expect(labels).toEqual(["Cash", "UPI", "Bank transfer", "Card", "Wallet"]);
});
