import type { Payment, PaymentMethod } from "./entities.ts";
import { readCard, STANDARD_CARD } from "./failures.ts";
import { digits, newId } from "./signature.ts";

export function clearFailure(payment: Payment): void {
  payment.error_code = null;
  payment.error_description = null;
  payment.error_source = null;
  payment.error_step = null;
  payment.error_reason = null;
}

interface MethodWish {
  method?: PaymentMethod;
  cardNumber?: string;
  vpa?: string;
}

export function methodDetails(wish: MethodWish): Partial<Payment> {
  switch (wish.method ?? "upi") {
    case "card": {
      const card = readCard(wish.cardNumber ?? STANDARD_CARD);
      const id = newId("card");
      return {
        international: card.international,
        card_id: id,
        card: {
          id,
          entity: "card",
          name: "",
          last4: card.last4,
          network: card.network,
          type: "debit",
          issuer: card.international ? null : "SBIN",
          international: card.international,
          emi: false,
          sub_type: "consumer",
          token_iin: null,
        },
      };
    }
    case "netbanking":
      return { bank: "HDFC" };
    case "wallet":
      return { wallet: "payzapp" };
    case "upi": {
      const vpa = wish.vpa || "success@razorpay";
      return { vpa, upi: { payer_account_type: "bank_account", vpa, flow: "intent" } };
    }
  }
}

export function acquirerData(method: PaymentMethod): Record<string, string | null> {
  if (method === "card") {
    return { auth_code: digits(6), authentication_reference_number: null, rrn: digits(12) };
  }
  if (method === "upi") return { rrn: digits(12), upi_transaction_id: newId("upi").slice(4) };
  if (method === "netbanking") return { bank_transaction_id: digits(7) };
  return { transaction_id: null };
}
