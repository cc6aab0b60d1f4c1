/** `/admin/calendar`. The board draws the calendar itself, so that it stays when a dialog opens. */
export default function CalendarAddress() {
  return null;
}
