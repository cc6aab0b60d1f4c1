/** The host's link is the captain's alone, fetched when it is wanted, and never in our file. */
import { expect, it } from "vitest";
import { adminOf, bookAndPay } from "#tests/support/admin.ts";
import { ASHA, dayAhead } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp();

it("leads nobody but the session's captain to Zoom", async () => {
  const admin = await adminOf(app);
  const room = { kind: "zoom", address: "https://meet.example/fallback" };
  expect((await admin("/counselors/asha", { method: "PUT", json: { room } })).httpStatus).toBe(200);
  const { id } = await bookAndPay(app, { counselor: ASHA, date: dayAhead(12) });
  const detail = async () => (await admin(`/appointments/${id}`)).data;
  await eventually(async () => expect((await detail()).room.address).toContain("/zoom/j/"));
  expect((await detail()).room.kind).toBe("zoom");
  const page = await (await fetch(`${app.origin}/booking/${id}`)).text();
  expect(page).toContain((await detail()).room.address);
  const row = app.db.firstRaw<{ uid: string }>("SELECT calendar_uid AS uid FROM appointment");
  const path = `/admin/sessions/${row!.uid}/host`;
  for (const ask of [app.api, admin.page]) {
    expect((await ask(path)).led.join(" ")).not.toContain("zak=");
  }
  // An owner's account that is made the captain's.
  app.db.runRaw("UPDATE admin SET role = 'captain', counselor_key = 'rohan'");
  expect((await admin.page(path)).httpStatus).toBe(404);
  app.db.runRaw("UPDATE admin SET counselor_key = 'asha'");
  expect((await admin.page(path)).led).toEqual([
    302,
    expect.stringMatching(/\/zoom\/s\/\d+\?zak=\d+$/),
  ]);
  const kept = app.db.allRaw<{ sql: string }>("SELECT * FROM session_room");
  expect(JSON.stringify(kept)).not.toContain("zak=");
});
