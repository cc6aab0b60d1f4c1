/** Requests per second of what visitors and staff ask most, each beside its floor. */
import { once } from "node:events";
import { get } from "node:http";
import { buffer } from "node:stream/consumers";
import { COUNSELORS } from "#app/catalogue.ts";
import { addDays, dateInIndia } from "#app/model/dates.ts";
import { bookingNumber, FREE_DAYS, WINDOW_DAYS } from "#scripts/bench/database.ts";
import { requestBytes, runLoad } from "#scripts/bench/load.ts";
import { compareThroughput, inRounds, SECONDS } from "#scripts/bench/measure.ts";
import { type Row, rowOf } from "#scripts/bench/report.ts";
import { type AppServer, type Bench, FLOOR_BUILD, signIn } from "#scripts/bench/servers.ts";
import { apiOf } from "#tests/helpers/api-client.ts";

/** The headers of a browser. */
const BROWSER = {
  Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "Accept-Encoding": "gzip, deflate, br, zstd",
  "Accept-Language": "en-IN,en;q=0.9",
  "User-Agent":
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36",
};
const JSON_BODY = { "Content-Type": "application/json" };

/** The page kept in memory, beside `node:http` with the same bytes. */
export async function keptPage(bench: Bench, app: AppServer): Promise<Row[]> {
  const floor = await bench.startFloor(await sameBytes(app));
  const request = requestBytes("/", { headers: BROWSER });
  const ours = { server: app, request };
  const theirs = { server: floor, request };
  const rows: Row[] = [];
  for (const connections of [16, 64]) {
    const name = `GET /, no cookie, ${connections} connections`;
    rows.push(await compareThroughput({ name, connections, atLeast: 0.4 }, ours, theirs));
  }
  await floor.stop();
  return rows;
}

/**
 * The page depends on one cookie and on the query's captain: strangers' cookies and other queries
 * get the kept page, and whoever holds a time has it rendered. Beside a bare React Router app.
 */
export async function renderedPage(bench: Bench, app: AppServer): Promise<Row[]> {
  const cookie = await holdTime(app);
  const html = await (await fetch(app.origin, { headers: { cookie } })).text();
  const floor = await bench.startFloor({ kind: "page", build: FLOOR_BUILD, html, env: app.env });
  const visitor = { ...BROWSER, Cookie: cookie };
  const stranger = { ...BROWSER, Cookie: "_ga=GA1.1.1234567890.1700000000" };
  const cases = [
    ["GET /, a stranger's cookie", "/", stranger, 0.8],
    ["GET /, a query", "/?utm_source=instagram&fbclid=abcdefgh", BROWSER, 0.8],
    // The floor renders the same elements without any component; no app is written like that.
    ["GET /, rendered for one visitor", "/", visitor, null],
    ["GET /, rendered, not compressed", "/", { ...visitor, "Accept-Encoding": "identity" }, null],
  ] as const;
  const rows: Row[] = [];
  for (const [name, path, headers, atLeast] of cases) {
    // Without this cookie the floor's listener would send a kept page too.
    const bare = { ...headers, Cookie: cookie };
    const ours = { server: app, request: requestBytes(path, { headers }) };
    const theirs = { server: floor, request: requestBytes(path, { headers: bare }) };
    rows.push(await compareThroughput({ name, atLeast }, ours, theirs));
  }
  await floor.stop();
  return rows;
}

/** What the booking page asks while somebody chooses: the times of a day, the free days of a month. */
export async function calendarCalls(bench: Bench, app: AppServer, database: string) {
  const floor = await bench.startFloor({ kind: "calls", build: FLOOR_BUILD, database });
  const today = dateInIndia(Date.now());
  const counselor = COUNSELORS[0]!.name;
  const query = (fields: Record<string, string>) =>
    new URLSearchParams({ counselor, package: "30", ...fields }).toString();
  const day = query({ date: addDays(today, 20) });
  const month = query({ from: addDays(today, 10), to: addDays(today, 40) });
  const cases = [
    ["GET /api/slots", "/api/slots", "/slots", day, 0.7],
    ["a month, half booked, 100,000 in the file", "/api/availability", "/month", month, 0.5],
  ] as const;
  const rows: Row[] = [];
  for (const [name, path, floorPath, search, atLeast] of cases) {
    const ours = { server: app, request: requestBytes(`${path}?${search}`) };
    const theirs = { server: floor, request: requestBytes(`${floorPath}?${search}`) };
    rows.push(await compareThroughput({ name, atLeast }, ours, theirs));
  }
  await floor.stop();
  return rows;
}

/** The staff's start page, 50 rows, beside a bare React Router app that renders the same elements. */
export async function adminPage(bench: Bench, app: AppServer): Promise<Row[]> {
  const headers = { ...BROWSER, Cookie: await sessionCookie(app) };
  const html = await (await fetch(`${app.origin}/admin`, { headers })).text();
  const floor = await bench.startFloor({ kind: "page", build: FLOOR_BUILD, html, env: app.env });
  const request = requestBytes("/admin", { headers });
  const rows = [
    await compareThroughput(
      { name: "GET /admin, 50 rows", atLeast: 0.4 },
      { server: app, request },
      { server: floor, request: requestBytes("/rendered", { headers }) },
    ),
  ];
  await floor.stop();
  const cpuMs = await inRounds(async () => {
    const before = app.cpuMs();
    const { answers } = await runLoad(
      { port: app.port, request },
      { connections: 1, seconds: SECONDS },
    );
    return (app.cpuMs() - before) / answers;
  });
  rows.push(rowOf("GET /admin, processor time", "ms", cpuMs, 4));
  rows.push(rowOf("GET /admin, length", "kB", [Buffer.byteLength(html) / 1000], 68));
  return rows;
}

/** Bookings of distinct times, beside the same rows written by better-sqlite3 alone. */
export async function bookings(bench: Bench, filled: string): Promise<Row[]> {
  const ours = bench.copy(filled, "bookings-ours.db");
  const theirs = bench.copy(filled, "bookings-floor.db");
  const app = await bench.startApp(ours, { BOOKING_WINDOW_DAYS: String(WINDOW_DAYS) });
  const floor = await bench.startFloor({ kind: "calls", build: FLOOR_BUILD, database: theirs });
  const row = await compareThroughput(
    { name: "POST /api/appointments, distinct times", atLeast: 0.85 },
    { server: app, request: bookingRequests("/api/appointments"), expect: 201 },
    { server: floor, request: bookingRequests("/appointments"), expect: 201 },
  );
  await app.stop();
  await floor.stop();
  return [row];
}

/** Each call is the next free time of either captain; the count goes on from load to load. */
function bookingRequests(path: string): () => Buffer {
  let n = 0;
  return () => {
    const body = JSON.stringify(bookingNumber(n++));
    return requestBytes(path, { method: "POST", headers: JSON_BODY, body });
  };
}

/** As the sign-in of a browser leaves it. */
async function sessionCookie(app: AppServer): Promise<string> {
  const init = { method: "POST", headers: await signIn(app) };
  const { headers } = await apiOf(app.origin)("/api/admin/session", init);
  return headers.get("set-cookie")!.split(";")[0]!;
}

/** Books a time and answers the cookie of who holds it. */
async function holdTime(app: AppServer): Promise<string> {
  const date = addDays(dateInIndia(Date.now()), FREE_DAYS - 1);
  const json = { ...bookingNumber(0), date, timeSlot: "10:00" };
  const { headers } = await apiOf(app.origin)("/api/appointments", { json });
  return headers.get("set-cookie")!.split(";")[0]!;
}

/** The answer as our server gives it to a browser, headers and body; `fetch` would unpack it. */
async function sameBytes(app: AppServer) {
  const [answer] = await once(
    get({ port: app.port, host: "127.0.0.1", path: "/", headers: BROWSER }),
    "response",
  );
  const { connection: _, "keep-alive": __, date: ___, ...headers } = answer.headers;
  const body = (await buffer(answer)).toString("base64");
  return { kind: "bytes" as const, headers, body };
}
