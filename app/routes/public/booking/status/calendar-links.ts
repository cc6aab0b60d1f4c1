/** A session as links that fill in an entry of Google's or Outlook's calendar on the web. */

interface Entry {
  title: string;
  /** Milliseconds UTC. */
  startsAt: number;
  endsAt: number;
}

/** They tell the title and the time, and nothing by which the booking or its customer is found. */
export function calendarLinks({ title, startsAt, endsAt }: Entry) {
  const [start, end] = [startsAt, endsAt].map(
    (at) => `${new Date(at).toISOString().slice(0, 19)}Z`,
  );
  const dates = `${start}/${end}`.replace(/[-:]/g, "");
  return {
    google: linkTo("calendar.google.com/calendar/render", {
      action: "TEMPLATE",
      text: title,
      dates,
    }),
    outlook: linkTo("outlook.live.com/calendar/0/deeplink/compose", {
      path: "/calendar/action/compose",
      rru: "addevent",
      subject: title,
      startdt: start,
      enddt: end,
    }),
  };
}

/** Outlook shows the plus signs of form encoding as they are. */
function linkTo(address: string, query: Record<string, string | undefined>): string {
  const pairs = Object.entries(query).map(
    ([name, value]) => `${name}=${encodeURIComponent(value ?? "")}`,
  );
  return `https://${address}?${pairs.join("&")}`;
}
