/** The first steps that services outside decide, and what a form of the settings saves of the owner's word. */
import { describe, expect, it } from "vitest";
import { changePackage } from "#app/catalogue/change-catalogue.server.ts";
import { packageSchema } from "#app/catalogue/fields.ts";
import { DEFAULT_TIMES } from "#app/catalogue.ts";
import type { Env } from "#app/core/env.server.ts";
import { outsideKeyHashes, providerKeyHashes } from "#app/core/key-hashes.server.ts";
import { readFirstSteps } from "#app/doctor/first-steps.server.ts";
import { check } from "#app/model/fields.ts";
import { settingsSchema } from "#app/model/settings-fields.ts";
import { queueEvent } from "#app/payments/provider-events.server.ts";
import { settingsView } from "#app/routes/admin/settings/settings-view.server.ts";
import {
  changeSettings,
  changeTypedSettings,
  readSettings,
} from "#app/settings/change-settings.server.ts";
import {
  ORDER_KEYS,
  readSavedSettings,
  readSetting,
  writeSetting,
} from "#db/queries/settings.server.ts";
import { BUSINESS } from "#tests/helpers/environment.ts";
import { addAccount } from "#tests/support/admin.ts";
import { freshDeps } from "#tests/support/hooks.ts";
import { ADMIN_ACTOR, openTill } from "#tests/support/till.ts";

const LIVE = {
  PUBLIC_URL: "https://book.example.in",
  SESSION_SECRET: "a-secret-of-tests-with-more-than-32-characters",
  RAZORPAY_KEY_ID: "rzp_live_abcdefgh",
  ...BUSINESS,
};
const OFF_SITE = {
  BACKUP_S3_ENDPOINT: "https://s3.example.in",
  BACKUP_S3_BUCKET: "copies",
  BACKUP_S3_REGION: "auto",
  BACKUP_S3_ACCESS_KEY_ID: "key",
  BACKUP_S3_SECRET_ACCESS_KEY: "secret",
  BACKUP_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64"),
};

const test = freshDeps({ ...LIVE, ...OFF_SITE });

/** Over the same file, under another environment. */
const under = (env: Partial<Env>) => ({ db: test.deps.db, env: { ...test.deps.env, ...env } });
const run = (sql: string) => test.deps.db.runRaw(sql);
const isDone = (name: string, env: Partial<Env> = {}) =>
  readFirstSteps(under(env))!.find((step) => step.name === name)!.isDone;

interface Case {
  step: string;
  /** Does something else, of the same kind, that does not count. */
  almost: () => unknown;
  does: () => unknown;
  /** Null: what is done stays done. */
  undoes: (() => unknown) | null;
  undoneBy?: ((env: Env) => Partial<Env>)[];
}

const message = (state: string) =>
  run(`REPLACE INTO message (id, cause, kind, channel, audience, recipient, data, state, created_at)
    VALUES ('m', 'm', 'test_mail', 'email', 'admin', 'a@b.in', '{}', '${state}', 1)`);
const event = (kind: string) =>
  run(`INSERT INTO provider_event (event_id, kind, body, state, received_at)
    VALUES ('${kind}', '${kind}', '{}', 'done', 1)`);
/** Noted of an order that the provider made for these keys. */
const orderMade = (razorpay: Partial<Env["razorpay"]> = {}) => {
  const { env } = test.deps;
  const [keys = ""] = providerKeyHashes({ ...env, razorpay: { ...env.razorpay, ...razorpay } });
  writeSetting(test.deps.db, ORDER_KEYS, keys);
};
const doctorFound = (known: object, look: object = {}) => {
  const [askedWith] = outsideKeyHashes(test.deps.env);
  const kept = { at: 1, triedAt: 1, known, askedWith, ...look };
  writeSetting(test.deps.db, "doctor", JSON.stringify(kept));
};
const settings = (changes: object) =>
  changeSettings(test.deps, ADMIN_ACTOR, settingsSchema.parse(changes));
const half = (changes: object) =>
  changePackage(test.deps, ADMIN_ACTOR, 30, packageSchema.parse(changes));

it.each<Case>([
  {
    step: "business",
    almost: () => settings({ brand: "Wings" }),
    does: () => settings({ businessName: "Wings LLP" }),
    undoes: null,
  },
  {
    step: "captain",
    almost: () => run("UPDATE counselor SET sample_of = NULL, portrait = NULL"),
    does: () => run("UPDATE counselor SET portrait = 'p'"),
    undoes: () => run("UPDATE counselor SET active = 0"),
  },
  {
    step: "prices",
    almost: () =>
      half({
        questions: [{ label: "Marks?", hint: "", kind: "text", choices: [], required: false }],
      }),
    does: () => half({ price: 1500 }),
    undoes: () => half({ price: 999 }),
  },
  {
    step: "hours",
    almost: () =>
      run(
        "INSERT INTO leave (id, from_date, to_date, created_at) VALUES ('l', '2026-12-01', '2026-12-01', 1)",
      ),
    does: () => run("UPDATE offer_settings SET default_times = '[\"09:00\"]'"),
    undoes: () =>
      run(`UPDATE offer_settings SET default_times = '${JSON.stringify(DEFAULT_TIMES)}'`),
  },
  {
    step: "invitation",
    almost: () => addAccount(test.deps.db),
    does: () =>
      addAccount(test.deps.db, { id: "staff", username: "s", email: "s@b.in", role: "staff" }),
    undoes: () => run("UPDATE admin SET inactive_since = 1 WHERE id = 'staff'"),
  },
  {
    step: "provider",
    almost: () => {
      orderMade({ keySecret: "the-secret-before" });
      event("payment.captured");
    },
    does: () => orderMade(),
    undoes: () => doctorFound({ keys: ["Razorpay keys"] }),
  },
  {
    step: "provider",
    // A look with other keys, of a version that did not note them, and one that did not end.
    almost: () => {
      event("payment.captured");
      for (const look of [{ askedWith: "other" }, { askedWith: undefined }, { unseen: ["keys"] }]) {
        doctorFound({}, look);
        expect(isDone("provider")).toBe(false);
      }
    },
    does: () => doctorFound({}, { unseen: ["mail server"] }),
    undoes: null,
    undoneBy: [({ razorpay }) => ({ razorpay: { ...razorpay, keySecret: "another-secret" } })],
  },
  {
    step: "provider",
    almost: () => {
      orderMade();
      // The doctor's own.
      event("doctor.check");
      // What our own lists named.
      queueEvent(test.deps.db, "listed", { paymentId: "pay_1" }, 1);
      queueEvent(test.deps.db, "disputed", { paymentId: "pay_1", disputeId: "disp_1" }, 1);
    },
    does: () => event("payment.captured"),
    undoes: () => run("DELETE FROM provider_event"),
  },
  {
    step: "mail",
    almost: () => message("retrying"),
    does: () => message("sent"),
    undoes: () => message("failed"),
  },
  {
    step: "copies",
    almost: () => writeSetting(test.deps.db, "last_backup", JSON.stringify({ at: 1, bytes: 1 })),
    does: () => writeSetting(test.deps.db, "last_off_site", JSON.stringify({ at: 1, bytes: 1 })),
    undoes: null,
    undoneBy: [({ backup }) => ({ backup: { ...backup, offSite: null } })],
  },
  {
    step: "live",
    almost: () => run("UPDATE counselor SET active = 0 WHERE key = 'asha'"),
    does: () => run("UPDATE counselor SET active = 0"),
    undoes: () => run("UPDATE counselor SET active = 1"),
    undoneBy: [({ razorpay }) => ({ razorpay: { ...razorpay, keyId: "rzp_test_abcdefgh" } })],
  },
  {
    step: "live",
    almost: () => null,
    does: () => run("UPDATE counselor SET sample_of = NULL"),
    undoes: null,
    undoneBy: [() => ({ publicUrl: "http://book.example.in" }), () => ({ sampleDocuments: true })],
  },
])(
  "the step $step is done by that alone, and to do again once that is gone",
  async ({ step, almost, does, undoes, undoneBy = [] }) => {
    expect(isDone(step)).toBe(false);
    await almost();
    expect(isDone(step)).toBe(false);
    await does();
    expect(isDone(step)).toBe(true);
    for (const change of undoneBy) expect(isDone(step, change(test.deps.env))).toBe(false);
    expect(isDone(step)).toBe(true);
    await undoes?.();
    expect(isDone(step)).toBe(undoes === null);
  },
);

it("Settings say what the doctor saw with the keys that are set, else that nobody has looked", () => {
  const copiesNote = (env: Partial<Env> = {}) =>
    settingsView(under(env)).services.find(({ variables }) => variables === "BACKUP_S3_…")!.note;
  const nobody = "Nobody has looked with what is set now";
  expect(copiesNote()).toBe(nobody);
  doctorFound({ copies: ["Copies off the machine"] });
  expect(copiesNote()).toMatch(/1970.*: not as it should be: Copies off the machine$/);
  doctorFound({});
  expect(copiesNote()).toMatch(/: reached$/);
  const { backup } = test.deps.env;
  const offSite = { ...backup.offSite!, secretAccessKey: "another" };
  expect(copiesNote({ backup: { ...backup, offSite } })).toBe(nobody);
});

it("Settings say whether Zoom and WhatsApp are set", () => {
  const isSet = (zoom: Env["zoom"]) =>
    settingsView(under({ zoom })).services.find(({ variables }) => variables === "ZOOM_…")!.isSet;
  expect([isSet(null), isSet({} as Env["zoom"])]).toEqual([false, true]);
  const whatsapp = {} as Env["whatsapp"];
  expect([isDone("whatsapp"), isDone("whatsapp", { whatsapp })]).toEqual([false, true]);
});

it("has a test booking once one was paid through the provider, not by hand", async () => {
  const till = await openTill();
  till.bookByStaff();
  const steps = () => readFirstSteps(till.deps)!;
  const hasBooked = () => steps().find(({ name }) => name === "testBooking")!.isDone;
  const { db, env } = till.deps;
  expect(readSetting(db, ORDER_KEYS)).toBeNull();
  const { orderId } = await till.bookAndOrder();
  expect(providerKeyHashes(env)).toContain(readSetting(db, ORDER_KEYS));
  expect(hasBooked()).toBe(false);
  till.pay(orderId);
  await till.look();
  expect(hasBooked()).toBe(true);
  till.close();
});

describe("a form of the settings", () => {
  /** All that the form of the business sends, as it is filled. */
  const filled = () => {
    const fields = Object.entries(readSettings(test.deps));
    const business = fields.filter(([name]) => name.startsWith("business"));
    return Object.fromEntries(business.map(([name, value]) => [name, String(value ?? "")]));
  };
  const save = (changes: object) => {
    const { version } = readSettings(test.deps);
    const typed = settingsSchema.parse({ ...filled(), version, ...changes });
    return changeTypedSettings(test.deps, ADMIN_ACTOR, typed);
  };
  const saved = () => readSavedSettings(test.deps.db).saved;

  it("saves what was typed anew alone, so that the rest goes on following its variables", () => {
    expect(save({}).ok).toBe(true);
    expect([saved(), isDone("business")]).toEqual([{}, false]);
    expect(save({ businessPhone: "+91 80 4000 5000" }).ok).toBe(true);
    expect([saved(), isDone("business")]).toEqual([{ businessPhone: "+91 80 4000 5000" }, true]);
    // What is saved and typed again stays saved.
    expect(save({ version: 9 })).toMatchObject({ ok: false, code: "stale" });
    expect(save({ faq: readSettings(test.deps).faq, bookingWindowDays: "60" }).ok).toBe(true);
    expect(saved()).toEqual({ businessPhone: "+91 80 4000 5000", bookingWindowDays: 60 });
  });

  it("is not a call, which saves each field that it names", () => {
    const { businessSac } = readSettings(test.deps);
    expect(changeSettings(test.deps, ADMIN_ACTOR, { businessSac }).ok).toBe(true);
    expect(saved()).toEqual({ businessSac });
  });
});

it("a setting is refused where it is not as its variable", () => {
  for (const [json, field, words] of [
    [{ businessState: "27" }, "businessGstin", "does not begin with “State” 27"],
    [{ businessName: " " }, "businessName", "Please enter the legal name"],
    [{ businessPhone: null }, "businessPhone", "Phone is missing"],
    [{ businessCin: "ABC" }, "businessCin", "CIN of 21 characters"],
    [{ businessSac: "12" }, "businessSac", "4 to 8 digits"],
    [{ accent: "blue" }, "accent", "#005bbf"],
    [{ minNoticeMinutes: -1 }, "minNoticeMinutes", "at least 0"],
    [{ minNoticeMinutes: "soon" }, "minNoticeMinutes", "number"],
    [{ bookingWindowDays: 1.5 }, "bookingWindowDays", "whole number"],
    [
      { holdSeconds: 1, paymentWindowSeconds: 900 },
      "holdSeconds",
      "at least “Time to start paying",
    ],
    [{ bookingWindowDays: 1e9 }, "bookingWindowDays", "3660"],
    [{ retentionUnpaidDays: 1e300 }, "retentionUnpaidDays", "up to 1,000,000"],
    [{ askState: "never" }, "askState", "Please choose"],
    [{ faq: [{ question: "Why?", answer: "" }] }, "faq", "answer"],
    [{ faq: [{ question: " ", answer: "" }] }, "faq", "question"],
    [{ faq: [{}] }, "faq", "question"],
    [{ faq: "none" }, "faq", "list"],
    [{ faq: ["x"] }, "faq", "each question with its answer"],
  ] as const) {
    const input = check(settingsSchema, json);
    const refused = input.ok ? changeSettings(test.deps, ADMIN_ACTOR, input.value) : input;
    expect(refused, field).toMatchObject({ ok: false, code: "validation_failed" });
    expect(!refused.ok && refused.errors?.[field]?.[0]).toContain(words);
  }
  expect(readSavedSettings(test.deps.db).saved).toEqual({});
});
