/** `GET /`: kept beside `node:http` with the same bytes, rendered beside a bare React Router app. */
import { get } from "node:http";
import { COUNSELORS } from "#app/catalogue.ts";
import { addDays, dateInIndia } from "#app/model/dates.ts";
import { FREE_DAYS } from "#scripts/bench/database.ts";
import { requestBytes } from "#scripts/bench/load.ts";
import type { Row } from "#scripts/bench/report.ts";
import { type AppServer, FLOOR_BUILD, type Setting } from "#scripts/bench/setting.ts";
import { compareThroughput } from "#scripts/bench/throughput.ts";

/** As a browser asks. */
export const BROWSER = {
  Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "Accept-Encoding": "gzip, deflate, br, zstd",
  "Accept-Language": "en-IN,en;q=0.9",
  "User-Agent":
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36",
};

export async function keptPage(setting: Setting, app: AppServer): Promise<Row[]> {
  const floor = await setting.startFloor(await sameBytes(app));
  const request = requestBytes("/", { headers: BROWSER });
  const rows: Row[] = [];
  for (const connections of [16, 64]) {
    const name = `GET /, no cookie, ${connections} connections`;
    const load = { name, connections, atLeast: 0.4, effort: setting.effort };
    rows.push(await compareThroughput(load, { server: app, request }, { server: floor, request }));
  }
  await floor.stop();
  return rows;
}

/**
 * The page depends on one cookie, and of a query on the captain asked for. So strangers' cookies and links with a query get
 * the kept page; whoever holds a time has it rendered.
 */
export async function renderedPage(setting: Setting, app: AppServer): Promise<Row[]> {
  const cookie = await holdTime(app);
  const html = await (await fetch(app.origin, { headers: { cookie } })).text();
  const floor = await setting.startFloor({ kind: "page", build: FLOOR_BUILD, html, env: app.env });
  const visitor = { ...BROWSER, Cookie: cookie };
  const stranger = { ...BROWSER, Cookie: "_ga=GA1.1.1234567890.1700000000" };
  const cases = [
    ["GET /, a stranger's cookie", "/", stranger, 0.8],
    ["GET /, a query", "/?utm_source=instagram&fbclid=abcdefgh", BROWSER, 0.8],
    // The floor has the same elements from no component, which no app is written like.
    ["GET /, rendered for one visitor", "/", visitor, null],
    ["GET /, rendered, not compressed", "/", { ...visitor, "Accept-Encoding": "identity" }, null],
  ] as const;
  const rows: Row[] = [];
  for (const [name, path, headers, atLeast] of cases) {
    // The floor's listener would keep the page too, had it no such cookie.
    const bare = { ...headers, Cookie: cookie };
    const ours = { server: app, request: requestBytes(path, { headers }) };
    const theirs = { server: floor, request: requestBytes(path, { headers: bare }) };
    const load = { name, connections: 16, atLeast, effort: setting.effort };
    rows.push(await compareThroughput(load, ours, theirs));
  }
  await floor.stop();
  return rows;
}

/** Books a time and answers the cookie of who holds it. */
async function holdTime(app: AppServer): Promise<string> {
  const response = await fetch(`${app.origin}/api/appointments`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      name: "Meera Pillai",
      email: "meera@example.in",
      phone: "9845012345",
      counselor: COUNSELORS[0]!.name,
      package: 30,
      date: addDays(dateInIndia(Date.now()), FREE_DAYS - 1),
      timeSlot: "10:00",
      packagePrice: 999,
    }),
  });
  if (response.status !== 201) throw new Error(await response.text());
  return response.headers.get("set-cookie")!.split(";")[0]!;
}

/** The answer as our server gives it to a browser, headers and body; `fetch` would unpack it. */
function sameBytes(app: AppServer) {
  return new Promise<{ kind: "bytes"; headers: Record<string, string>; body: string }>(
    (resolve, reject) => {
      get({ port: app.port, host: "127.0.0.1", path: "/", headers: BROWSER }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk) => chunks.push(chunk));
        answer.on("end", () => {
          const { connection: _, "keep-alive": __, date: ___, ...headers } = answer.headers;
          resolve({
            kind: "bytes",
            headers: headers as Record<string, string>,
            body: Buffer.concat(chunks).toString("base64"),
          });
        });
      }).on("error", reject);
    },
  );
}
