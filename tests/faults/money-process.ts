/** A server's process over the world's file: what its operations are given, and its jobs. It may die. */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Logger } from "pino";
import type { Deps, Metrics } from "#app/core/deps.server.ts";
import { parseEnv } from "#app/core/env.server.ts";
import type { OutgoingWhatsApp, SendResult } from "#app/core/services.ts";
import { runOutbox } from "#app/notifications/outbox.server.ts";
import { runReminders, runUnpaidNotices } from "#app/notifications/reminders.server.ts";
import { isWhatsAppKind, whatsAppTemplate } from "#app/notifications/templates/whatsapp.ts";
import { runProviderEvents } from "#app/payments/provider-events.server.ts";
import {
  readOrdersSinceRestore,
  runDisputes,
  runRefundsMade,
} from "#app/payments/provider-lists.server.ts";
import { runReconciler } from "#app/payments/reconcile.server.ts";
import { runRefunds } from "#app/payments/refunds.server.ts";
import { migrate, type OpenDb, openDb } from "#db/connection.server.ts";
import { forgetPowerCuts } from "#tests/support/fresh-db.ts";
import type { Books } from "./money-books.ts";
import { type CallFate, type CallKind, providerCallsOf } from "./money-provider-calls.ts";

export const HOOK_SECRET = "hook-secret-of-the-money-world";
export const KEY_SECRET = "key-secret-of-the-money-world";

const { env, faults } = parseEnv({
  PUBLIC_URL: "http://127.0.0.1:3000",
  RAZORPAY_KEY_ID: "rzp_test_moneyworld",
  RAZORPAY_KEY_SECRET: KEY_SECRET,
  RAZORPAY_WEBHOOK_SECRET: HOOK_SECRET,
  BUSINESS_NAME: "Captain Sample",
  BUSINESS_STATE: "29",
  BUSINESS_EMAIL: "office@captain.example",
  WHATSAPP_PHONE_NUMBER_ID: "100000000000001",
  WHATSAPP_TOKEN: "token",
  WHATSAPP_APP_SECRET: "secret",
  WHATSAPP_VERIFY_TOKEN: "verify",
  RATE_LIMIT: "off",
});
if (faults.length > 0) throw new Error(faults.join("\n"));

/** Takes every call, and does nothing. */
const QUIET = new Proxy({}, { get: () => () => {} });

/** In this order, so that the messages of the other jobs go out too. */
const JOBS: Record<string, (deps: Deps) => unknown> = {
  events: runProviderEvents,
  refunds: runRefunds,
  orders: runReconciler,
  "orders since a restore": readOrdersSinceRestore,
  disputes: runDisputes,
  "refunds made": runRefundsMade,
  reminders: runReminders,
  unpaid: runUnpaidNotices,
  messages: runOutbox,
};

/** Those that depend on the clock; the others work on rows that are due. */
const BY_CLOCK = /^(orders since|disputes|refunds made|reminders|unpaid)/;

/** In every twelfth round all jobs run. */
const FULL_ROUND = 12;

/** The world around it. */
export interface Surroundings {
  clock: { now: number };
  books: Books;
  store: Store;
  called(process: MoneyProcess, name: string, subject: string, fate: CallFate): void;
  fate(kind: CallKind): CallFate;
  meanwhile(process: MoneyProcess): Promise<void>;
  /** Before a transaction begins that is none within another. */
  beforeTransaction(process: MoneyProcess, isByClock: boolean): void;
  send(
    process: MoneyProcess,
    channel: "email" | "whatsapp",
    messageId: string,
    text: string,
  ): SendResult;
  /** For what only a fault of the program causes. */
  faultFound(where: string, error: unknown): void;
  reborn(process: MoneyProcess): void;
}

/** From a start to the end of the process. */
interface Life {
  deps: Deps;
  isOver: boolean;
  /** Resolves with null when the process has died. */
  end: Promise<null>;
  die(): void;
}

const never = new Promise<never>(() => {});

export class MoneyProcess {
  readonly name: string;
  readonly #world: Surroundings;
  #life: Life;
  #lives = 0;
  #isWorking = false;
  #isByClock = false;
  #rounds = 0;

  constructor(name: string, world: Surroundings) {
    this.name = name;
    this.#world = world;
    this.#life = this.#begin();
  }

  get deps(): Deps {
    return this.#life.deps;
  }

  /** Null if the process died in it, or failed: then nobody has an answer. */
  run<T>(work: (deps: Deps) => Promise<T> | T, what = "a call"): Promise<T | null> {
    const life = this.#life;
    const answer = async () => {
      try {
        return await work(life.deps);
      } catch (error) {
        if (!life.isOver) this.#world.faultFound(what, error);
        return null;
      }
    };
    return Promise.race([answer(), life.end]);
  }

  /**
   * A round of the jobs, one after the other; never two rounds at once. `byClock` says whether an hour
   * of a session or hold has come.
   */
  async work(byClock: boolean): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    this.#rounds += 1;
    const isFull = byClock || this.#rounds % FULL_ROUND === 0;
    const life = this.#life;
    for (const [name, job] of Object.entries(JOBS)) {
      if (life.isOver) break;
      this.#isByClock = BY_CLOCK.test(name);
      if (isFull || !this.#isByClock) await this.run((deps) => job(deps), `job ${name}`);
    }
    this.#isByClock = false;
    this.#isWorking = false;
  }

  stop(): void {
    this.#life.isOver = true;
    this.#life.die();
    this.#life.deps.db.close();
  }

  start(): void {
    this.#life = this.#begin();
  }

  #begin(): Life {
    const world = this.#world;
    this.#lives += 1;
    this.#isWorking = false;
    const db = world.store.open(this.name, this.#lives);
    this.#watchTransactions(db);
    let die = () => {};
    const end = new Promise<null>((resolve) => {
      die = () => resolve(null);
    });
    const life: Life = { deps: this.#depsOf(db, () => life), isOver: false, end, die };
    return life;
  }

  #end(life: Life): void {
    if (life.isOver) return;
    this.stop();
    this.start();
    this.#world.reborn(this);
  }

  #depsOf(db: OpenDb, lifeOf: () => Life): Deps {
    const world = this.#world;
    const { clock } = world;
    const provider = providerCallsOf(world.books, {
      isOver: () => lifeOf().isOver,
      fate: (kind) => world.fate(kind),
      called: (name, subject, fate) => world.called(this, name, subject, fate),
      meanwhile: async () => {
        await world.meanwhile(this);
        if (lifeOf().isOver) await never;
      },
      die: () => {
        this.#end(lifeOf());
        return never;
      },
    });
    const log: Logger = Object.create(QUIET);
    log.error = (what: { err?: unknown }, text?: string) => {
      if (!lifeOf().isOver) world.faultFound(text ?? "", what.err ?? what);
    };
    return {
      db,
      env,
      provider,
      metrics: QUIET as Metrics,
      now: () => {
        clock.now += 1;
        return clock.now;
      },
      documents: {
        renderDocument: async ({ number }) => Buffer.from(number),
      } as Deps["documents"],
      rooms: null,
      senders: {
        mail: {
          send: ({ messageId, text }) => this.#send(lifeOf(), "email", messageId, text),
          close() {},
        },
        whatsapp: {
          send: (message) => this.#send(lifeOf(), "whatsapp", message.messageId, wordsOf(message)),
        },
      },
      log,
      wake() {},
    };
  }

  async #send(life: Life, ...what: ["email" | "whatsapp", string, string]): Promise<SendResult> {
    return life.isOver ? never : this.#world.send(this, ...what);
  }

  /** Before each, another process may come. */
  #watchTransactions(db: OpenDb): void {
    const { driver } = db;
    const transaction = driver.transaction.bind(driver);
    driver.transaction = ((work: () => unknown) => {
      if (!driver.inTransaction) this.#world.beforeTransaction(this, this.#isByClock);
      return transaction(work);
    }) as typeof driver.transaction;
  }
}

/** A WhatsApp message as it is read. */
function wordsOf({ template, parameters }: OutgoingWhatsApp): string {
  if (!isWhatsAppKind(template)) return parameters.join(" ");
  const { body } = whatsAppTemplate(template);
  return body.replace(/\{\{(\d+)\}\}/g, (_, place) => parameters[Number(place) - 1] ?? "");
}

export type Store = ReturnType<typeof newStore>;

/** An empty file of which each world has a copy. */
export async function makeTemplate(): Promise<string> {
  const template = join(mkdtempSync(join(tmpdir(), "money-template-")), "template.db");
  const empty = openDb(template);
  await migrate(empty);
  empty.driver.pragma("journal_mode = DELETE");
  empty.close();
  return template;
}

export function newStore(template: string) {
  const folder = mkdtempSync(join(tmpdir(), "money-"));
  copyFileSync(template, join(folder, "world.db"));
  return {
    folder,
    /** What the program keeps in memory by path must not outlive a process: each life has one of its own. */
    open(process: string, life: number) {
      const db = openDb(`${folder}/${"./".repeat(life)}${process === "A" ? "" : ".//"}world.db`);
      forgetPowerCuts(db);
      return db;
    },
    end: () => rmSync(folder, { recursive: true, force: true }),
  };
}
