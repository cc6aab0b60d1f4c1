import { it } from "vitest";
import { queueMessages } from "#app/notifications/queue.server.ts";
import { runOutbox } from "#app/notifications/outbox.server.ts";
import { takeDueMessages } from "#db/queries/messages.server.ts";
import { inTransaction } from "#db/connection.server.ts";
import { makeWorld } from "./setup.ts";
it("bench", async () => {
  const w = await makeWorld({ WHATSAPP_PHONE_NUMBER_ID: undefined, WHATSAPP_TOKEN: undefined, WHATSAPP_APP_SECRET: undefined, WHATSAPP_VERIFY_TOKEN: undefined });
  for (let i = 0; i < 500; i++) { const a = w.addAppointment({ status: "pending_payment", holdUntil: 1, email: `p${i}@visitors.example` }); queueMessages(w.deps.db, w.deps.env, Date.now(), { type: "unpaid", appointment: a }); }
  let t = performance.now(); let worst = 0, last = t;
  const iv = setInterval(() => { const n = performance.now(); worst = Math.max(worst, n - last - 5); last = n; }, 5);
  const n = await runOutbox(w.deps); clearInterval(iv);
  console.log("sent", n, "in", Math.round(performance.now() - t), "ms; worst stall", Math.round(worst));
  const a = w.addAppointment({ status: "pending_payment", holdUntil: 1 });
  inTransaction(w.deps.db, (tx) => { for (let i = 0; i < 20000; i++) queueMessages(tx, w.deps.env, Date.now(), { type: "unpaid", appointment: { ...a, id: `x${i}`, email: `q${i}@visitors.example` } }); });
  for (let i = 0; i < 3; i++) { t = performance.now(); takeDueMessages(w.deps.db, Date.now(), { limit: 5, leaseUntil: Date.now() + 6000, channels: ["email", "whatsapp"] }); console.log("take of 20000", (performance.now() - t).toFixed(1), "ms"); }
  w.deps.db.runRaw("UPDATE message SET next_try_at = NULL, state='sent'");
  t = performance.now(); for (let i = 0; i < 100; i++) takeDueMessages(w.deps.db, Date.now(), { limit: 5, leaseUntil: 1, channels: ["email"] }); console.log("idle take", ((performance.now() - t) / 100).toFixed(3), "ms");
  const { runReminders, runUnpaidNotices } = await import("#app/notifications/reminders.server.ts");
  t = performance.now(); runReminders(w.deps); console.log("reminders", (performance.now() - t).toFixed(2)); t = performance.now(); runUnpaidNotices(w.deps); console.log("unpaid", (performance.now() - t).toFixed(2));
  await w.close();
}, 120000);
