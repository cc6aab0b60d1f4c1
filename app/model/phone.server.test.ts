import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalisePhone, readablePhone, whatsAppForms } from "./phone.server.ts";

it.each([
  ["98765 43210", "+919876543210", "+91 98765 43210"],
  ["098765-43210", "+919876543210", "+91 98765 43210"],
  ["+44 20 7946 0958", "+442079460958", "+44 20 7946 0958"],
  ["+0 98765 43210", "+919876543210", "+91 98765 43210"],
  // Of no plan that is known.
  ["1234567890", "+911234567890", "+91 1234 567 890"],
  ["+1 234 567 890", "+1234567890", "+1 234567890"],
  ["(0) 98765 43210 1", "+98765432101", "+98 765432101"],
  ["00000 00001", "+910000000001", "+91 000000001"],
  ["00 0 98765 43210", "+919876543210", "+91 98765 43210"],
  ["000123456789012", "+123456789012", "+1 23456789012"],
  ["not a number", "not a number", "not a number"],
])("keeps %s as %s and shows it as %s", (typed, stored, shown) => {
  expect(normalisePhone(typed)).toBe(stored);
  expect(readablePhone(stored)).toBe(shown);
});

describe("the forms of a number on WhatsApp", () => {
  const own = fc.stringMatching;
  /** As it is dialled, and as WhatsApp's id of its sender. */
  const twice = fc.oneof(
    own(/^[2-9]\d{9}$/).map((rest) => [`+52${rest}`, `+521${rest}`]),
    own(/^[123]\d{9}$/).map((rest) => [`+54${rest}`, `+549${rest}`]),
    own(/^[6-9]\d{7}$/).map((rest) => [`+55319${rest}`, `+5531${rest}`]),
  );
  /** Newer mobiles and landlines of Brazil, and other countries' numbers. */
  const once = own(/^\+(55319?[1-5]\d{7}|91[6-9]\d{9}|1[2-9]\d{9})$/).map((one) => [one]);

  it("lead from the one that was typed to the sender's and back, and to no other person's", () => {
    const any = fc.oneof(twice, once);
    fc.assert(
      fc.property(any, any, (forms, others) => {
        for (const form of forms) {
          expect(whatsAppForms(form).toSorted()).toEqual(forms.toSorted());
          if (others[0] === forms[0]) continue;
          for (const other of others) expect(whatsAppForms(form)).not.toContain(other);
        }
      }),
    );
  });
});
