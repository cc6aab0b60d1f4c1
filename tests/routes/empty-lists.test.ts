/** What an empty list of the admin area says: what belongs there, and how it begins. */
import { expect, it } from "vitest";
import { createSession } from "#app/auth/session.server.ts";
import { addAccount, sessionCookie } from "#tests/support/admin.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp();
const admin = sharedAdmin(app);

const mainOf = async (path: string, own = admin.token) => {
  const { html } = await app.api(path, { headers: { Cookie: sessionCookie(own) } });
  return html.slice(html.indexOf("<main"));
};
const BOOK = 'href="/admin/appointments/new"';

it.each([
  ["/admin", "Bookings from your page stand here", BOOK],
  ["/admin?status=cancelled", "please clear them", ""],
  [
    "/admin/calendar?view=day&date=2020-01-01",
    "Nothing is booked or free here",
    'href="/admin/schedule"',
  ],
  ["/admin/customers", "Whoever books is one", BOOK],
  ["/admin/documents", "An invoice comes by itself", ""],
  ["/admin/unmatched", "Every payment has its booking", ""],
  ["/admin/activity?q=zz", "of what was done is enough", ""],
  ["/admin/insights", "The figures come by themselves with the first bookings", ""],
  ["/admin/schedule/asha", "Add the first below", ""],
  ["/admin/ratings", "No ratings yet. Mark sessions", ""],
  ["/admin/account", "The variables that begin with BACKUP_S3", ""],
])("%s", async (path, words, link) => {
  const html = await mainOf(path);
  expect(html).toContain(words);
  expect(html).toContain(link);
});

it.each(["/admin", "/admin/sessions"])("%s of a captain", async (path) => {
  await addAccount(app.db, {
    id: path,
    username: `of${path.length}`,
    email: `${path.length}@b.in`,
    role: "captain",
    counselorKey: "asha",
  });
  const { token: own } = createSession({ db: app.db, now: Date.now }, path, { userAgent: null });
  const html = await mainOf(path, own);
  expect(html).toContain("They come by themselves for the times");
  expect(html).toContain('href="/admin/schedule"');
});
