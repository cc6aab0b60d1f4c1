/** A captain's imported calendar by call and by form. */
import { beforeEach, expect, it } from "vitest";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp({ separateProcess: true });
const admin = sharedAdmin(app);
let url: string;
beforeEach(async () => {
  app.sandbox.reset();
  url = app.sandbox.addresses.calendarUrl!;
  await call("PUT", { url: null });
});

const CALL = "/counselors/asha/busy-calendar";
const call = (method: string, json?: object) => admin(CALL, { method, json });
const refresh = () => admin(`${CALL}/refresh`, { method: "POST" });

/** As a browser without scripts sends it. */
const submit = (fields: Record<string, string>, key = "asha") =>
  admin.page(`/admin/schedule/${key}/busy-calendar`, { form: fields });

it("is set, read, shown and removed, and its address neither answered nor logged", async () => {
  const none = { host: null, lastReadAt: null, busy: 0, error: null };
  expect((await call("GET")).data).toEqual(none);
  const set = await call("PUT", { url: `${url}?token=hush-hush` });
  const { host } = new URL(url);
  const at = expect.stringMatching(/^2\d{3}-.*Z$/);
  expect([set.status, set.data]).toEqual([200, { host, lastReadAt: at, busy: 14, error: null }]);
  expect((await call("GET")).data).toEqual(set.data);
  app.sandbox.switches.set({ name: "calendar_error" });
  const read = await refresh();
  expect([read.status, read.data]).toEqual([
    200,
    { ...set.data, error: expect.stringContaining("every 15 minutes") },
  ]);
  const page = await admin.page("/admin/schedule/asha/busy-calendar");
  expect(page.text).toContain(host);
  const log = await admin("/activity-logs");
  for (const text of [set.text, read.text, page.text, log.text, app.server!.output()]) {
    expect(text).not.toContain("hush-hush");
  }
  expect(app.server!.output()).toContain('"a captain\'s calendar was not read"');
  expect((await call("PUT", { url: null })).data).toEqual(none);
  expect((await admin("/activity-logs")).data.logs.slice(0, 2)).toMatchObject([
    { action: "busy_calendar_removed", target: "asha", before: { host } },
    { action: "busy_calendar_set", target: "asha", after: { host } },
  ]);
});

it("is changed by its form without scripts, which is never filled with the address", async () => {
  const to = [303, "/admin/schedule/asha"];
  expect((await submit({ intent: "save", url })).led).toEqual(to);
  expect((await call("GET")).data.busy).toBe(14);
  app.sandbox.calendars.texts.set("roster", "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n");
  expect((await submit({ intent: "refresh", url: "" })).led).toEqual(to);
  expect((await call("GET")).data.busy).toBe(0);
  const wrong = await submit({ intent: "save", url: "http://10.0.0.1/hush" });
  expect(wrong.status).toBe(400);
  expect(wrong.text).toContain("not public");
  expect(wrong.text).not.toContain("hush");
  expect((await submit({ intent: "remove", url: "" })).led).toEqual(to);
  expect((await call("GET")).data.host).toBeNull();
  expect((await submit({ intent: "save", url }, "nobody")).status).toBe(404);
});

it("is not changed by a form made before another's change", async () => {
  const versionIn = async () => {
    const { text } = await admin.page("/admin/schedule/asha/busy-calendar");
    return /name="version" value="(\d+)"/.exec(text)![1]!;
  };
  const before = await versionIn();
  expect((await submit({ intent: "save", url, version: before })).status).toBe(303);
  await refresh();
  const set = await versionIn();
  for (const intent of ["save", "remove"]) {
    const late = await submit({ intent, url: `${url}?other`, version: before });
    expect(late.status).toBe(409);
    expect(late.text).toContain("changed in the meantime");
    expect(late.text).toContain(`name="version" value="${set}"`);
  }
  expect((await call("GET")).data).toMatchObject({ host: new URL(url).host, busy: 14 });
  expect((await submit({ intent: "remove", version: set })).status).toBe(303);
  expect((await call("GET")).data.host).toBeNull();
});
