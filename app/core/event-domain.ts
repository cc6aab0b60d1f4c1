/** What stands behind `@` in the UID of our calendar events: the domain of MAIL_FROM. */
export function eventDomain(mailFrom: string): string {
  return /@([^\s@<>]+)>?\s*$/.exec(mailFrom)?.[1] ?? "localhost";
}
