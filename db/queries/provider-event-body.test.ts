import { describe, expect, it } from "vitest";
import { withoutPersonalData } from "./provider-event-body.ts";

const person = {
  email: "asha@example.in",
  contact: "+919845012345",
  vpa: "asha@upi",
  upi: { vpa: "asha@upi" },
  card: { id: "card_1", name: "Asha Rao", last4: "4242" },
  card_id: "card_1",
  bank: "HDFC",
  wallet: "paytm",
  notes: { name: "Asha Rao" },
  acquirer_data: { rrn: "123456789012" },
  description: "For Asha Rao",
  error_description: "Asha's bank refused",
  // A known name with something else behind it.
  status: { said: "Asha Rao" },
};

describe("an event as it is kept", () => {
  it("says which things it is about, sums, states and error codes, and nothing of a person", () => {
    const facts = {
      id: "pay_1",
      order_id: "order_1",
      amount: 117900,
      currency: "INR",
      amount_refunded: 0,
      refund_status: null,
      error_code: "BAD_REQUEST_ERROR",
      error_source: "bank",
      error_step: "payment_authorization",
      error_reason: "payment_failed",
    };
    const kept = JSON.parse(
      withoutPersonalData(
        JSON.stringify({
          account_id: "acc_1",
          event: "payment.failed",
          payload: {
            payment: { entity: { ...person, ...facts } },
            refund: { entity: { ...person, id: "rfnd_1", payment_id: "pay_1", amount: 5 } },
            dispute: {
              entity: { ...person, id: "disp_1", status: "open", reason_code: "fraud" },
            },
          },
        }),
      ),
    );
    expect(kept).toEqual({
      event: "payment.failed",
      payload: {
        payment: { entity: facts },
        refund: { entity: { id: "rfnd_1", payment_id: "pay_1", amount: 5 } },
        dispute: { entity: { id: "disp_1", status: "open", reason_code: "fraud" } },
      },
    });
  });

  it("survives parts that are not there", () => {
    for (const payload of ["null", "7", '{"a":null,"b":{},"c":{"entity":7},"__proto__":[]}']) {
      const body = `{"event":"x","payload":${payload}}`;
      expect(JSON.parse(withoutPersonalData(body)).event).toBe("x");
    }
    expect(JSON.parse(withoutPersonalData('{"event":"x"}')).event).toBe("x");
  });

  it("keeps nothing of a body that cannot be read", () => {
    for (const body of ["", "Asha Rao", '"Asha Rao"', "null", '["Asha Rao"]']) {
      expect(JSON.parse(withoutPersonalData(body)), body).toEqual({ payload: {} });
    }
  });
});
