/** Of a refund of money that came in outside the payment provider. */
export const BY_HAND =
  "It was paid outside the payment provider, so you pay it back by hand, and then mark it here as paid back: only then the customer gets the email with the credit note.";
