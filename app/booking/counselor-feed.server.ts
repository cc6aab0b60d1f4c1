/**
 * A counselor's private calendar subscription. The secret in its address is derived, not stored: a
 * new SESSION_SECRET gives every counselor a new address.
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { BRAND, COUNSELORS, type Counselor } from "#app/catalogue.ts";
import { calendarFeed } from "#app/documents/calendar-file.ts";
import type { Deps } from "#app/lib/deps.server.ts";
import type { Env } from "#app/lib/env.server.ts";
import { captainEvent } from "#app/notifications/invitation.server.ts";
import { listCounselorSessions } from "#db/queries/counselor-sessions.server.ts";

const PAST_MS = 30 * 86_400_000;
const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

/** The address to give to the counselor and to nobody else. */
export function counselorFeedUrl(
  env: Pick<Env, "publicUrl" | "sessionSecret">,
  counselorKey: string,
): string {
  return `${env.publicUrl}/calendar/${feedSecret(env, counselorKey)}.ics`;
}

/** The feed: paid sessions from 30 days ago on. Null for a secret that is no counselor's. */
export function readCounselorFeed(
  { db, env, now }: Pick<Deps, "db" | "env" | "now">,
  secret: string,
): string | null {
  const counselor = findCounselorBySecret(env, secret);
  if (!counselor) return null;
  const sessions = listCounselorSessions(db, counselor.key, now() - PAST_MS);
  return calendarFeed({
    name: `${BRAND.name}: ${counselor.name}`,
    events: sessions.map(({ appointment, changedAt }) => captainEvent(env, appointment, changedAt)),
  });
}

/** 32 characters of 5 bits each. */
function feedSecret({ sessionSecret }: Pick<Env, "sessionSecret">, counselorKey: string): string {
  const bytes = createHmac("sha256", sessionSecret).update(`calendar:${counselorKey}`).digest();
  return Array.from(bytes, (byte) => ALPHABET[byte & 31]).join("");
}

/** Every counselor's is compared, and each in constant time. */
function findCounselorBySecret(env: Env, secret: string): Counselor | null {
  const given = hashOf(secret);
  const matches = COUNSELORS.filter(({ key }) =>
    timingSafeEqual(given, hashOf(feedSecret(env, key))),
  );
  return matches[0] ?? null;
}

function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
