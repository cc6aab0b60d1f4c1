/** Of a refund of money that came in outside the payment provider. */
/** For who may not do it. */
export const BY_OWNER =
  "It was paid outside the payment provider, so an owner pays it back by hand, and marks it as paid back: only then the customer gets the email with the credit note.";

export const BY_HAND =
  "It was paid outside the payment provider, so you pay it back by hand, and then mark it here as paid back: only then the customer gets the email with the credit note.";
