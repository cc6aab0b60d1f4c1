/** What follows a confirmation; WhatsApp is promised only where it is set up. */
export function followUpWords(email: string, whatsapp: boolean): string {
  return whatsapp
    ? `A confirmation email to ${email} and a WhatsApp message will follow.`
    : `A confirmation email to ${email} will follow.`;
}
