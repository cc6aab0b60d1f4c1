/** Calendar files, portraits, plans and the accent's styles, for whoever has their address. */
import { readCounselorFeed } from "#app/booking/captains.server.ts";
import { isOpenIn } from "#app/booking/self-service.server.ts";
import { inlinePdf } from "#app/http/file-response.server.ts";
import { type Call, calls } from "#app/http/json.server.ts";
import { accentStyles } from "#app/model/accent.ts";
import { PORTRAIT_WIDTHS } from "#app/model/catalogue.ts";
import { dateInIndia, formatSession, timeInIndia } from "#app/model/dates.ts";
import { isId } from "#app/model/ids.ts";
import { bookingCalendarFile } from "#app/notifications/invitation.server.ts";
import { sentPlan } from "#app/sessions/plan.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { findPortrait } from "#db/queries/catalogue.server.ts";

const CALENDAR = "text/calendar; charset=utf-8; method=PUBLISH";

const FOR_EVER = "public, max-age=31536000, immutable";

const route = calls({
  "booking/:id/calendar.ics": { GET: bookingCalendar },
  "booking/:id/plan.pdf": { GET: planPdf },
  "calendar/:secret.ics": { GET: counselorFeed },
  "portraits/:id/:width.webp": { GET: portrait },
  "brand/:accent.css": { GET: accent },
});

export { route as action, route as loader };

function bookingCalendar({ deps, params: { id } }: Call): Response {
  const appointment = isId(id) ? findAppointment(deps.db, id) : null;
  if (!appointment) throw new Response("Not Found", { status: 404 });
  return new Response(bookingCalendarFile(deps.env, appointment, deps.now()), {
    headers: {
      "Content-Type": CALENDAR,
      "Content-Disposition": 'attachment; filename="session.ics"',
    },
  });
}

/** Only in a browser that has opened the booking. */
async function planPdf({ deps, params: { id }, request }: Call): Promise<Response> {
  const appointment = isId(id) ? findAppointment(deps.db, id) : null;
  const plan = appointment && sentPlan(deps, appointment.id);
  if (!plan || !(await isOpenIn(deps, request, appointment.id))) {
    throw new Response("Not Found", { status: 404 });
  }
  const { counselor, startsAt, ...sent } = plan;
  return inlinePdf(request, "plan", () =>
    deps.documents.renderText({
      brand: deps.env.brand.name,
      logo: deps.env.brand.logo,
      title: "Your plan after the session",
      facts: [
        ["Captain", counselor],
        ["Session", formatSession(dateInIndia(startsAt), timeInIndia(startsAt))],
      ],
      ...sent,
    }),
  );
}

/** Calendar programs ask every 15 minutes at most; a shared cache must not keep names. */
function counselorFeed({ deps, params: { secret = "" } }: Call): Response {
  const feed = readCounselorFeed(deps, secret);
  if (feed === null) throw new Response("Not Found", { status: 404 });
  return new Response(feed, {
    headers: { "Content-Type": CALENDAR, "Cache-Control": "private, max-age=300" },
  });
}

/** In one width. The id is a hash of the portrait, so what it names never changes. */
function portrait({ deps, params: { id = "", width } }: Call): Response {
  const served = PORTRAIT_WIDTHS.find((one) => one === Number(width));
  const bytes = served ? findPortrait(deps.db, id, served) : null;
  if (!bytes) return new Response("There is no such portrait.\n", { status: 404 });
  return new Response(new Uint8Array(bytes), {
    headers: { "Content-Type": "image/webp", "Cache-Control": FOR_EVER },
  });
}

/** The styles of any colour, computed from the address alone. */
function accent({ params: { accent = "" } }: Call): Response {
  if (!/^[0-9a-f]{6}$/.test(accent))
    return new Response("There are no such styles.\n", { status: 404 });
  return new Response(accentStyles(`#${accent}`), {
    headers: { "Content-Type": "text/css; charset=utf-8", "Cache-Control": FOR_EVER },
  });
}
