import { once } from "node:events";
import { statSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { freePort } from "#scripts/process/ports.ts";
import { isBuildFresh } from "#scripts/process/production-build.ts";
import { apiOf } from "#tests/helpers/api-client.ts";
import { bookingBody, dayAhead } from "#tests/support/bookings.ts";
import { scratchFolder } from "#tests/support/hooks.ts";
import { ROOT, startNpm } from "./command-process.ts";

const folder = scratchFolder();

const environment = (port: number) => ({
  PORT: String(port),
  DATABASE_PATH: join(folder, `${port}.db`),
  SANDBOX_STATE_FILE: join(folder, `${port}.json`),
});

/** What looks like a phone number, or speaks of calling one, on the visitor's pages. */
async function phonesOn(site: string): Promise<string[]> {
  const { data } = await apiOf(site)("/api/appointments", {
    json: bookingBody({ date: dayAhead(20) }),
  });
  expect(data.id).toMatch(/\w{26}/);
  const booking = `/booking/${data.id}`;
  const policies = ["/privacy", "/terms", "/refunds", "/contact", "/how-it-works"];
  const own = [booking, `${booking}/reschedule`, `${booking}/cancel`];
  const found: string[] = [];
  for (const path of ["/", "/find-booking", "/none", ...policies, ...own]) {
    const html = await (await fetch(site + path)).text();
    expect(html, path).toContain("hello@captains.example");
    const phones = html.match(
      /tel:|\+91[\d\s-]{6,}|\b\d{5} \d{5}\b|"telephone"|call us|or call\b/gi,
    );
    for (const phone of phones ?? []) found.push(`${path}: ${phone}`);
  }
  return found;
}

describe("npm start", () => {
  beforeAll(() => {
    // A build begun here would replace the one that other tests are running.
    expect(isBuildFresh(), "npm run build comes first").toBe(true);
  });

  test("serves with nothing configured, and Ctrl-C ends all of it with status 0", async () => {
    const port = await freePort();
    const command = startNpm(["start"], environment(port));
    await command.waitFor("Ctrl-C stops it all");
    const site = `http://127.0.0.1:${port}`;
    expect(command.output()).toContain(`${site}/admin`);
    expect((await fetch(`${site}/health`)).status).toBe(200);
    // Nothing configured, so there is no number to call.
    expect(await phonesOn(site)).toEqual([]);
    const sandbox = /Sandbox\s+(\S+)/.exec(command.output())?.[1] ?? "";
    expect((await fetch(sandbox)).status).toBe(200);
    expect(statSync(join(ROOT, "data/admin-password")).mode & 0o777).toBe(0o600);

    command.kill("SIGINT");
    expect(await command.exit).toBe(0);
    await expect(fetch(site)).rejects.toThrow();
    await expect(fetch(sandbox)).rejects.toThrow();
  });

  test("a PORT in use is reported in one line, and nothing is left running", async () => {
    const port = await freePort();
    const other = createServer().listen(port, "127.0.0.1");
    await once(other, "listening");
    const command = startNpm(["start", "--silent"], environment(port));
    expect(await command.exit).toBe(1);
    expect(command.output()).toContain(`Port ${port} is in use`);
    other.close();
  });
});
