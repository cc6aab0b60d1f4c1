/** Test mails of the first steps: so many a day, and the dashboard says when it is enough. */
import { expect, it } from "vitest";
import { adminOf, sessionCookie } from "#tests/support/admin.ts";
import { sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp({ env: { RATE_LIMIT: undefined } });

it("says on the dashboard that there were too many today", async () => {
  const own = sessionCookie((await adminOf(app)).token);
  const submit = () =>
    app.api("/admin/first-steps", { form: { testMail: "true" }, headers: { Cookie: own } });
  for (let i = 0; i < 20; i += 1) expect((await submit()).httpStatus).toBe(303);
  const last = await submit();
  expect(last.led).toEqual([303, "/admin"]);
  const notice = last.headers.get("Set-Cookie")!.split(";", 1)[0];
  const { text } = await app.api("/admin", { headers: { Cookie: `${own}; ${notice}` } });
  expect(text).toContain("You have sent 20 test mails today. Please go on tomorrow.");
  expect(app.db.firstRaw("SELECT count(*) AS n FROM message WHERE kind = 'test_mail'")).toEqual({
    n: 20,
  });
});
