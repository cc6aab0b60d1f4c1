/** Until when customers may move or cancel a booking themselves: strictly before this instant. */
export function changeableUntil(startsAt: number, hours: number): number {
  return startsAt - hours * 3_600_000;
}
