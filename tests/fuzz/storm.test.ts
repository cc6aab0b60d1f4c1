/**
 * Hostile names, paths, heads, framings, bodies and values, while another client asks for `/health`
 * every 20 ms: it is answered within 500 ms, nothing is answered with a fault, memory stays within
 * 100 MB of what it was, and afterwards the service is whole. FUZZ_SECONDS sets how long all of it
 * takes, with and without limits, and FUZZ_SEED what is sent; unasked it is a short one without.
 */
import { expect, it } from "vitest";
import { beginJournal, gatherEvidence, violationsOf } from "#tests/faults/evidence.ts";
import { DOCUMENT_RULES, MONEY_RULES, TIME_RULES } from "#tests/faults/money-audit.ts";
import { startTestApp } from "#tests/helpers/app.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { expectEverything } from "#tests/support/everything.ts";
import { addressOf, arsenal } from "./arsenal.ts";
import { travel } from "./journey.ts";
import { ownSessions } from "./own-session.ts";
import { storm } from "./storm.ts";

const { FUZZ_SECONDS } = process.env;
const SECONDS = Number(FUZZ_SECONDS ?? 8);
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_120);
const ADDRESS_HEADER = "x-client";

const LEDGER_RULES = { ...DOCUMENT_RULES, ...TIME_RULES, ...MONEY_RULES };

const UNLIMITED = { RATE_LIMIT: "off" };
const LIMITED = { RATE_LIMIT: "on", TRUSTED_PROXY_HEADER: ADDRESS_HEADER };

const STORMS = [
  { name: "without limits, so that everything gets deep", env: UNLIMITED, share: 0.7 },
  { name: "with limits, from many addresses", env: LIMITED, share: 0.3 },
];

it.each(FUZZ_SECONDS ? STORMS : STORMS.slice(0, 1))(
  "a storm leaves it whole: $name",
  { timeout: SECONDS * 4_000 + 240_000 },
  async ({ env, share }) => {
    const app = await startTestApp({
      separateProcess: true,
      env: {
        ...env,
        NODE_OPTIONS: "--import=./tests/support/collect-on-signal.mjs",
        LOG_LEVEL: "error",
      },
    });
    try {
      beginJournal(app.env.DATABASE_PATH!);
      const sessions = ownSessions(app);
      const account = () =>
        app.db.allRaw("SELECT id, username, email, password_hash, totp_secret FROM admin");
      const accountBefore = account();
      let serial = 0;
      let journeys = 0;
      let paid = "";
      const from = (address: string): Record<string, string> =>
        env === LIMITED ? { [ADDRESS_HEADER]: address } : {};
      const headers = () => from(`192.0.2.${serial++ % 250}`);
      const journey = async () => {
        const { id, wrong } = await travel(app, {
          n: journeys++,
          token: () => sessions.live(),
          headers: headers(),
        });
        if (id) paid = id;
        return wrong;
      };
      const seen = await storm(app, SECONDS * 1_000 * share, {
        seed: SEED,
        arbitrary: (sample) =>
          arsenal({
            ids: [paid, "abcdefghijkmnpqrstuvwxyz23", "abcdefghijkmnpqrstuvwxyz24"],
            token: sessions.live(),
            date: dayAhead(2 + (sample % 86)),
          }),
        headers: () => from(addressOf(serial++)),
        journey,
      });
      console.log(`seed ${SEED}, ${journeys} journeys: ${JSON.stringify(seen)}`);
      expect(seen.findings).toEqual([]);
      expect(sessions.strange()).toBe(0);
      expect(account()).toEqual(accountBefore);
      await eventually(async () => {
        await app.sandbox.idle();
        const due = "SELECT 1 FROM refund WHERE state IN ('wanted', 'sent')";
        expect(
          app.db.allRaw(`${due} UNION ALL SELECT 1 FROM provider_event WHERE state = 'new'`),
        ).toEqual([]);
      });
      await expectEverything(app, sessions.live(), { most: FUZZ_SECONDS ? 5 : 2, headers });
      expect(app.db.allRaw("PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
      expect(app.db.allRaw("PRAGMA foreign_key_check")).toEqual([]);
      const evidence = gatherEvidence(app.sandbox, app.db);
      expect(violationsOf(LEDGER_RULES, evidence)).toEqual([]);
    } finally {
      await app.stop();
    }
  },
);
