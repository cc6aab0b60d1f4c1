/** The staff's start page, 50 rows, beside a bare React Router app that renders the same elements. */
import { signIn } from "#scripts/bench/cases/admin.ts";
import { BROWSER } from "#scripts/bench/cases/pages.ts";
import { press, requestBytes } from "#scripts/bench/load.ts";
import { spreadOf } from "#scripts/bench/pairs.ts";
import type { Row } from "#scripts/bench/report.ts";
import { type AppServer, FLOOR_BUILD, type Setting } from "#scripts/bench/setting.ts";
import { compareThroughput } from "#scripts/bench/throughput.ts";

export async function adminPage(setting: Setting, app: AppServer): Promise<Row[]> {
  const headers = { ...BROWSER, Cookie: await sessionCookie(app) };
  const html = await (await fetch(`${app.origin}/admin`, { headers })).text();
  const floor = await setting.startFloor({ kind: "page", build: FLOOR_BUILD, html, env: app.env });
  const request = requestBytes("/admin", { headers });
  const beside = await compareThroughput(
    { name: "GET /admin, 50 rows", connections: 16, atLeast: 0.4, effort: setting.effort },
    { server: app, request },
    { server: floor, request: requestBytes("/rendered", { headers }) },
  );
  await floor.stop();
  return [
    beside,
    stated("GET /admin, processor time", "ms", await processorTimes(setting, app, request), 4),
    stated("GET /admin, length", "kB", [Buffer.byteLength(html) / 1000], 68),
  ];
}

/** Milliseconds of an answer, of all threads. */
async function processorTimes(setting: Setting, app: AppServer, request: Buffer) {
  const { rounds, seconds } = setting.effort;
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = app.cpuMs() ?? Number.NaN;
    const { answers } = await press({ port: app.port, request }, { connections: 1, seconds });
    times.push(((app.cpuMs() ?? Number.NaN) - before) / answers);
  }
  return times;
}

/** As the sign-in of a browser leaves it. */
async function sessionCookie(app: AppServer): Promise<string> {
  const response = await fetch(`${app.origin}/api/admin/session`, {
    method: "POST",
    headers: await signIn(app),
  });
  if (!response.ok) throw new Error(`the session answered ${response.status}`);
  return response.headers.get("set-cookie")!.split(";")[0]!;
}

function stated(name: string, unit: string, values: number[], atMost: number): Row {
  const ours = spreadOf(values);
  return { case: name, unit, ours, floor: null, ratio: null, mustReach: { atMost } };
}
