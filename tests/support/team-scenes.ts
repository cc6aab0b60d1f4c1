/** Accounts in each state, for the scenes of the team. */
import { sha256 } from "#app/core/secrets.server.ts";
import { ROHAN } from "./bookings.ts";
import type { Scene, Stage } from "./scene.ts";

export async function stageTeam({ app, admin }: Stage): Promise<Scene[]> {
  const invite = (username: string, role: string, counselor?: string) =>
    admin("/team", {
      method: "POST",
      json: { username, email: `${username}@captains.example`, role, counselor },
    });
  await invite("meera.desk", "staff");
  await invite("rohan", "captain", ROHAN);
  await invite("former-helper-with-a-long-name", "staff");
  await admin("/team/former-helper-with-a-long-name", { method: "PATCH", json: { active: false } });
  const token = "T".repeat(43);
  app.db.runRaw(
    "UPDATE invitation SET token_hash = ? WHERE admin_id = (SELECT id FROM admin WHERE username = 'meera.desk')",
    [sha256(token)],
  );
  const path = `/admin/invitation/${token}`;
  return [
    { name: "admin-team", path: "/admin/team", area: "admin" },
    { name: "invitation-signed-in", path, area: "admin" },
    { name: "invitation", path, area: "public" },
    { name: "invitation-gone", path: "/admin/invitation/gone", area: "public", status: 404 },
  ];
}
