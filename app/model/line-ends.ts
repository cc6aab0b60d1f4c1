/** A browser ends a line in CRLF where no script sends its form; people count one character. */
export function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}
