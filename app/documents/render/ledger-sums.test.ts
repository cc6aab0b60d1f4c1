/** A company's name as the portal's tool accepts it. */
import { expect, it } from "vitest";
import { receiverName } from "./ledger-sums.ts";

it.each([
  ["O’Neil & Sons – Pvt. Ltd", "O'Neil & Sons - Pvt. Ltd"],
  ["Señor Ångström", "Senor Angstrom"],
  ["राजेश्वरी Rao", null],
  ["Weiß & Łuków", null],
  ["=1+1 Sons", "1+1 Sons"],
  [" -+@91 Ventures", "91 Ventures"],
  ["राजेश्वरी", null],
  ["飛行機 🛩", null],
  ["A\u0000B<script>", "ABscript"],
  ["x".repeat(120), "x".repeat(99)],
  [`${"x".repeat(98)} y`, "x".repeat(98)],
])("write the receiver %j as %j", (name, written) => {
  expect(receiverName(name)).toBe(written);
});
