/** The first steps that services outside decide, and what a form of the settings saves of the owner's word. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readFirstSteps } from "#app/doctor/first-steps.server.ts";
import {
  changeSettings,
  changeTypedSettings,
  readSettings,
} from "#app/settings/change-settings.server.ts";
import { settingsSchema } from "#app/settings/fields.ts";
import { readSavedSettings, writeSetting } from "#db/queries/settings.server.ts";
import { makeDeps, type TestDeps } from "#tests/support/deps.ts";

const ADMIN = { kind: "admin", username: "admin", role: "owner" } as const;
const LIVE = {
  PUBLIC_URL: "https://book.example.in",
  SESSION_SECRET: "a-secret-of-tests-with-more-than-32-characters",
  RAZORPAY_KEY_ID: "rzp_live_abcdefgh",
  BUSINESS_GSTIN: "29ABCDE1234F1ZW",
  BUSINESS_NAME: "Test Aviation Counselling",
  BUSINESS_ADDRESS: "1 Test Road, Bengaluru 560001, Karnataka",
  BUSINESS_STATE: "29",
  BUSINESS_EMAIL: "hello@captains.example",
  BUSINESS_PHONE: "+91 98765 43210",
  GRIEVANCE_CONTACT: "Grievance Officer, grievance@captains.example",
};
const OFF_SITE = {
  BACKUP_S3_ENDPOINT: "https://s3.example.in",
  BACKUP_S3_BUCKET: "copies",
  BACKUP_S3_REGION: "auto",
  BACKUP_S3_ACCESS_KEY_ID: "key",
  BACKUP_S3_SECRET_ACCESS_KEY: "secret",
  BACKUP_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64"),
};

let test: TestDeps;
beforeEach(async () => {
  test = await makeDeps({ ...LIVE, ...OFF_SITE });
});
afterEach(() => test.close());

const isDone = (name: string) =>
  readFirstSteps(test.deps)!.find((step) => step.name === name)!.isDone;

it("is not live while a sample captain is on the page, though nobody can book one", () => {
  expect(isDone("live")).toBe(false);
  test.deps.db.runRaw("UPDATE counselor SET active = 0");
  expect(isDone("live")).toBe(true);
});

it("has copies off the machine once the first one is there", () => {
  expect(isDone("copies")).toBe(false);
  writeSetting(test.deps.db, "last_off_site", JSON.stringify({ at: 1, bytes: 1 }));
  expect(isDone("copies")).toBe(true);
});

describe("a form of the settings", () => {
  /** All that the form of the business sends, as it is filled. */
  const filled = () => {
    const fields = Object.entries(readSettings(test.deps));
    const business = fields.filter(([name]) => name.startsWith("business"));
    return Object.fromEntries(business.map(([name, value]) => [name, String(value ?? "")]));
  };
  const save = (changes: object) =>
    changeTypedSettings(
      test.deps,
      ADMIN,
      settingsSchema.parse({ ...filled(), ...readVersion(), ...changes }),
    );
  const readVersion = () => ({ version: readSettings(test.deps).version });
  const saved = () => readSavedSettings(test.deps.db).saved;

  it("saves what was typed anew alone, so that the rest goes on following its variables", () => {
    expect(save({}).ok).toBe(true);
    expect([saved(), isDone("business")]).toEqual([{}, false]);
    expect(save({ businessPhone: "+91 80 4000 5000" }).ok).toBe(true);
    expect([saved(), isDone("business")]).toEqual([{ businessPhone: "+91 80 4000 5000" }, true]);
    // What is saved and typed again stays saved.
    expect(save({ faq: readSettings(test.deps).faq, bookingWindowDays: "60" }).ok).toBe(true);
    expect(saved()).toEqual({ businessPhone: "+91 80 4000 5000", bookingWindowDays: 60 });
  });

  it("is refused where another was first, also with nothing typed", () => {
    expect(save({ version: 9 })).toMatchObject({ ok: false, code: "stale" });
  });

  it("is not a call, which saves each field that it names", () => {
    const { businessSac } = readSettings(test.deps);
    expect(changeSettings(test.deps, ADMIN, { businessSac }).ok).toBe(true);
    expect(saved()).toEqual({ businessSac });
  });
});
