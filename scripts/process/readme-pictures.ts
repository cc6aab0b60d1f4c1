/** The pictures of README.md and docs/operations.md, of the app with its sample appointments. */
import { mkdirSync, statSync } from "node:fs";
import type { Browser, BrowserContextOptions, Page } from "@playwright/test";
import { createAdmin } from "#app/auth/manage-admins.server.ts";
import { parseEnv } from "#app/core/env.server.ts";
import { countAdmins } from "#db/queries/admins.server.ts";
import { seedDemo } from "#scripts/seed/demo.server.ts";
import type { TestApp } from "#tests/helpers/app.ts";
import { ADMIN } from "#tests/helpers/environment.ts";
import { bookAndPay, signIn } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";

const FOLDER = "docs";
/** Bytes: a page of documents loads several. */
const LARGEST = 200_000;

interface Picture {
  name: string;
  path: string;
  width: number;
  height: number;
  /** Pixels for each of the page's. */
  scale?: number;
  act?: (page: Page) => Promise<unknown>;
}

export async function takeReadmePictures(app: TestApp, browser: Browser): Promise<void> {
  const { env } = parseEnv(app.env);
  if (countAdmins(app.db) === 0) await createAdmin({ db: app.db, now: Date.now }, ADMIN);
  const pay = async (orderId: string) =>
    app.sandbox.pay(orderId, { outcome: "captured", webhooks: false }).razorpay_payment_id;
  // The samples are made with a clock that is moved; the app's own would work on them meanwhile.
  await app.server?.stop();
  await seedDemo({ db: app.db, env, pay });
  await app.restart();
  const { id } = await bookAndPay(app, {
    name: "Sample Student",
    email: "sample.student@captains.example",
    date: dayAhead(11),
    package: 45,
    packagePrice: 1299,
  });
  const { data } = await signIn(app);
  mkdirSync(FOLDER, { recursive: true });
  const pictures: Picture[] = [
    { name: "home", path: "/", width: 1280, height: 800 },
    { name: "booking", path: `/booking/${id}`, width: 1280, height: 860 },
    { name: "admin", path: "/admin", width: 1280, height: 860 },
    { name: "phone", path: "/#book", width: 390, height: 780, act: chooseCaptain },
  ];
  for (const picture of pictures) {
    const context = await browser.newContext(settingsOf(app, picture));
    const headers = { Authorization: `Bearer ${data.token}` };
    await context.request.post(`${app.origin}/api/admin/session`, { headers });
    await take(await context.newPage(), picture);
    await context.close();
  }
}

function settingsOf(app: TestApp, { width, height, scale = 1 }: Picture): BrowserContextOptions {
  return {
    baseURL: app.origin,
    viewport: { width, height },
    deviceScaleFactor: scale,
    locale: "en-IN",
    timezoneId: "Asia/Kolkata",
    reducedMotion: "reduce",
  };
}

async function chooseCaptain(page: Page): Promise<void> {
  await page.locator('input[name="counselor"]').first().check();
  await page.locator('input[name="package"]').nth(1).check();
  await page.locator("#booking-captain").scrollIntoViewIfNeeded();
}

async function take(page: Page, { name, path, act }: Picture): Promise<void> {
  const file = `${FOLDER}/${name}.png`;
  await page.goto(path);
  await act?.(page);
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: file });
  const { size } = statSync(file);
  console.log(`${file}: ${Math.round(size / 1000)} kB`);
  if (size > LARGEST) throw new Error(`${file} is larger than ${LARGEST} bytes.`);
}
