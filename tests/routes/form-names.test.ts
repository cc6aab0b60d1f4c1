/** The list of names that each form may send, held against the forms as they are rendered. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FieldNames, namesByPath } from "#app/http/form.ts";
import { canonicalPath } from "#app/http/path.ts";
import { FORM_NAMES } from "#app/routes/form-names.ts";
import routes from "#app/routes.ts";
import { saveFailures } from "#db/queries/health.server.ts";
import { startTestApp, type TestApp } from "#tests/helpers/app.ts";
import { ADMIN } from "#tests/helpers/environment.ts";
import { signIn } from "#tests/support/admin.ts";
import { ASHA, dayAhead } from "#tests/support/bookings.ts";
import { captainOf } from "#tests/support/captain.ts";
import { eventually } from "#tests/support/eventually.ts";
import { stageScenes } from "#tests/support/scenes.ts";

const namesAt = namesByPath(FORM_NAMES);

interface RouteEntry {
  path?: string;
  file: string;
  children?: RouteEntry[];
}

function filesByPath(entries: readonly RouteEntry[], parent = ""): [path: string, file: string][] {
  return entries.flatMap(({ path, file, children = [] }) => {
    const whole = path === undefined ? parent : `${parent}/${path}`;
    return [[whole || "/", file] as [string, string], ...filesByPath(children, whole)];
  });
}

/** An action that is given the request may read its form. */
const READS_FORM =
  /export (async function|const) action\b[^{]*\{[^}]*\brequest\b|export const action = page\.action/;

it("every page whose action reads a form is in the list, and nothing else is", async () => {
  const reading = filesByPath((await routes) as RouteEntry[])
    .filter(([path]) => !/^\/(api|webhooks)\//.test(path))
    .filter(([, file]) => READS_FORM.test(readFileSync(join("app", file), "utf8")))
    .map(([path]) => path);
  expect(reading.length).toBeGreaterThan(12);
  const listed = Object.keys(FORM_NAMES).filter((path) => path !== "/booking/:id/pay");
  expect(new Set(listed)).toEqual(new Set(reading));
});

interface Control {
  name: string;
  isBox: boolean;
}

/** Controls by the path that their form posts to. */
type Posted = Map<string, Control[][]>;

const attribute = (tag: string, name: string) =>
  new RegExp(`\\s${name}="([^"]*)"`, "i").exec(tag)?.[1]?.replaceAll("&amp;", "&");

function collect(posted: Posted, html: string, at: string): void {
  const controls = (text: string) =>
    [...text.matchAll(/<(?:input|select|textarea|button)\b[^>]*>/gi)].map(([tag]) => tag);
  const ofOther = controls(html).filter((tag) => attribute(tag, "form"));
  for (const [, head = "", content = ""] of html.matchAll(/(<form\b[^>]*>)(.*?)<\/form>/gis)) {
    if (attribute(head, "method")?.toLowerCase() !== "post") continue;
    const action = new URL(attribute(head, "action") ?? at, "http://app.invalid");
    if (action.host !== "app.invalid") continue;
    const id = attribute(head, "id");
    const own = controls(content).filter((tag) => !attribute(tag, "form"));
    const all = [...own, ...ofOther.filter((tag) => attribute(tag, "form") === id)];
    const named = all.flatMap((tag) => {
      const name = attribute(tag, "name");
      return name ? [{ name, isBox: attribute(tag, "type") === "checkbox" }] : [];
    });
    const path = canonicalPath(action.pathname) ?? "";
    posted.set(path, [...(posted.get(path) ?? []), named]);
  }
}

describe("the forms as they are rendered", () => {
  let app: TestApp;
  const posted: Posted = new Map();
  /** By name; of the admin, then of the reset. */
  const cookies = new Map<string, string>();

  function keep({ headers }: { headers: Headers }): void {
    for (const set of headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
  }

  async function visit(path: string, fields?: Record<string, string>): Promise<void> {
    const response = await fetch(app.origin + path, {
      headers: { Accept: "text/html", Cookie: [...cookies].map((one) => one.join("=")).join("; ") },
      redirect: "manual",
      ...(fields && { method: "POST", body: new URLSearchParams(fields) }),
    });
    keep(response);
    collect(posted, await response.text(), path);
  }

  beforeAll(async () => {
    app = await startTestApp();
    const scenes = await stageScenes(app);
    for (const { path } of scenes.filter(({ area }) => area === "public")) await visit(path);
    await visit("/?index", { intent: "show-times", counselor: ASHA, date: dayAhead(12) });
    await visit("/admin", { username: "nobody", password: "wrong", totp: "000000" });
    const { data } = await signIn(app);
    keep(await app.api("/api/admin/session", { method: "POST", token: data.token }));
    const failed = { area: "GET /", kind: "Error", place: "", requestId: null, count: 1 };
    saveFailures(app.db, [{ ...failed, firstAt: Date.now(), lastAt: Date.now() }]);
    for (const { path } of scenes.filter(({ area }) => area === "admin")) await visit(path);
    const moved = scenes.find(({ name }) => name === "booking-moved")!.path.split("/")[2];
    app.db.runRaw("UPDATE message SET state = 'failed' WHERE appointment_id = ?", [moved]);
    await visit(`/admin/appointments/${moved}`);
    await visit("/admin/schedule/asha/busy-calendar");
    const leave = { from: dayAhead(50), to: dayAhead(50) };
    await app.api("/api/admin/leave", { token: data.token, json: leave });
    await visit("/admin/schedule/asha");
    const onLeave = { date: leave.from, newTimeSlot: "11:00" };
    await visit(`/admin/appointments/${moved}/reschedule`, onLeave);
    const wish = { name: "Tara Bose", email: "tara@example.in", phone: "98450 55001" };
    const session = { counselor: ASHA, package: "30", date: leave.from, timeSlot: "11:00" };
    const staff = "/admin/appointments/new";
    await visit(staff, { ...wish, ...session, payBy: "link", intent: "book" });
    await visit(staff, { q: "Arjun", intent: "find" });
    await visit("/admin/account", { intent: "totp-begin" });
    cookies.clear();
    const headers = { Authorization: `Bearer ${(await captainOf(app)).token}` };
    keep(await app.api("/api/admin/session", { method: "POST", headers }));
    const { uid } = app.db.firstRaw<{ uid: string }>(
      "SELECT calendar_uid AS uid FROM appointment WHERE counselor_key = 'asha'",
    )!;
    await visit(`/admin/sessions/${uid}`);
    cookies.clear();
    await visit("/admin/reset-password", { email: ADMIN.email, intent: "send" });
    await visit("/admin/reset-password");
    await eventually(() => expect(sentCode(app)).toMatch(/^\d{6}$/));
    await visit("/admin/reset-password", { otp: sentCode(app), intent: "verify" });
    await visit("/admin/reset-password");
  });
  afterAll(() => app.stop());

  it("send no name that the list does not have, and no list longer than it may be", () => {
    for (const [path, forms] of posted) {
      const names = namesAt(path);
      if (names === "file") continue;
      expect(names, path).toBeInstanceOf(Map);
      for (const controls of forms) {
        for (const { name } of controls)
          expect([...(names as FieldNames).keys()], path).toContain(name);
        for (const [name, most] of names as FieldNames) {
          const boxes = controls.filter((one) => one.isBox && one.name === name);
          expect(boxes.length, `${path} ${name}`).toBeLessThanOrEqual(most);
        }
      }
    }
  });

  it("have every name of the list", () => {
    for (const [pattern, names] of Object.entries(FORM_NAMES)) {
      if (names === "theirs" || names === "file") continue;
      const seen = [...posted]
        .filter(([path]) => namesAt(path) === names)
        .flatMap(([, forms]) => forms.flat().map(({ name }) => name));
      // What a script sends of the browser's own store stands in no page.
      const wanted = [...names.keys()].filter((name) => name !== "token");
      expect(new Set(seen), pattern).toEqual(new Set(wanted));
    }
  });

  it("ask for nothing that a form library keeps for itself", () => {
    const all = [...posted.values()].flat(2).map(({ name }) => name);
    expect(all.length).toBeGreaterThan(100);
    expect(all.filter((name) => !/^[a-zA-Z]+$/.test(name))).toEqual([]);
  });
});

function sentCode(app: TestApp): string {
  const mail = app.sandbox.mailbox.list().find(({ subject }) => subject?.startsWith("Your code"));
  return /\b(\d{6})\b/.exec(mail?.text ?? "")?.[1] ?? "";
}
