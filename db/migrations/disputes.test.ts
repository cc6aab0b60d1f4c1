/** How disputes stood at their payments, and what becomes of it. */
import { expect, it } from "vitest";
import { migrate } from "#db/connection.server.ts";
import { fileBefore } from "#tests/support/file-before.ts";

const NAME = "20261125T0200_disputes";

it("takes over each state, the id and sum from its event where that is still there", async () => {
  const db = await fileBefore(NAME);
  db.runRaw(
    `INSERT INTO appointment (id, name, email, phone, counselor_key, counselor_name, on_date,
       time_slot, minutes, starts_at, ends_at, base_paise, gst_paise, total_paise, status,
       calendar_uid, notice_version, notice_at, created_at, updated_at)
     VALUES ('a', 'A', 'a@b.in', '+919845012345', 'asha', 'A captain', '2026-12-01', '10:00', 30, 0,
       1800000, 99900, 18000, 117900, 'confirmed', 'a', '1', 0, 0, 0)`,
  );
  const states = ["created", "action_required", "under_review", "won", "lost", "closed", null];
  for (const state of states) {
    db.runRaw(
      `INSERT INTO payment (payment_id, appointment_id, amount_paise, currency, provider_status,
         outcome, captured_at, dispute_state, created_at, updated_at)
       VALUES (?, 'a', 1000, 'INR', 'captured', ?, 1, ?, 3, 7)`,
      [`pay_${state}`, state === "lost" ? "applied" : "second", state],
    );
  }
  const event = (id: string, kind: string, at: number, payment: string, entity: object) =>
    db.runRaw(
      "INSERT INTO provider_event (event_id, kind, body, state, received_at) VALUES (?, ?, ?, 'done', ?)",
      [id, kind, JSON.stringify({ payload: { ...about(payment), dispute: { entity } } }), at],
    );
  const about = (id: string) => ({ payment: { entity: { id } } });
  event("1", "payment.dispute.created", 1, "pay_lost", { id: "disp_first", amount: 500 });
  event("2", "payment.dispute.lost", 2, "pay_lost", { id: "disp_lost", amount: 900 });
  event("3", "payment.captured", 3, "pay_lost", { id: "disp_none" });
  event("4", "payment.dispute.won", 4, "pay_won", { id: "disp_won" });

  expect(await migrate(db)).toContain(NAME);
  const row = { phase: "", deducted_paise: 0, respond_by: null, created_at: 7, updated_at: 7 };
  const of = (dispute_id: string, payment_id: string, status: string, amount_paise = 1000) => ({
    ...{ ...row, dispute_id, payment_id, status, amount_paise },
  });
  expect(db.allRaw("SELECT * FROM dispute ORDER BY payment_id")).toEqual([
    of("unknown_pay_action_required", "pay_action_required", "open"),
    of("unknown_pay_closed", "pay_closed", "closed"),
    of("unknown_pay_created", "pay_created", "open"),
    of("disp_lost", "pay_lost", "lost", 900),
    of("unknown_pay_under_review", "pay_under_review", "under_review"),
    of("disp_won", "pay_won", "won"),
  ]);
  const sums = () =>
    db.firstRaw("SELECT kept_paise, refunded_paise, taken_back_paise FROM appointment");
  expect(sums()).toEqual({ kept_paise: 6100, refunded_paise: 0, taken_back_paise: 900 });
  db.runRaw("UPDATE dispute SET deducted_paise = 950 WHERE dispute_id = 'disp_lost'");
  expect(sums()).toEqual({ kept_paise: 6050, refunded_paise: 0, taken_back_paise: 950 });
  db.runRaw("UPDATE dispute SET status = 'lost' WHERE dispute_id = 'disp_won'");
  expect(sums()).toMatchObject({ taken_back_paise: 1950 });
  db.runRaw("DELETE FROM dispute");
  expect(sums()).toEqual({ kept_paise: 7000, refunded_paise: 0, taken_back_paise: 0 });
  db.close();
});

it("sends no refund of a payment that the bank has taken back whole", async () => {
  const db = await fileBefore(NAME);
  const lost = { paid: 1000, disputed: 1000 };
  const partly = { paid: 1000, disputed: 400 };
  for (const [id, { paid, disputed }] of Object.entries({ lost, partly })) {
    db.runRaw(
      `INSERT INTO payment (payment_id, amount_paise, currency, provider_status, outcome,
         captured_at, dispute_state, created_at, updated_at)
       VALUES (?, ?, 'INR', 'captured', 'applied', 1, 'lost', 3, 7)`,
      [id, paid],
    );
    db.runRaw(
      "INSERT INTO provider_event (event_id, kind, body, state, received_at) VALUES (?, 'payment.dispute.lost', ?, 'done', 1)",
      [
        id,
        JSON.stringify({
          payload: {
            payment: { entity: { id } },
            dispute: { entity: { id: `disp_${id}`, amount: disputed } },
          },
        }),
      ],
    );
    for (const state of ["wanted", "pending"]) {
      db.runRaw(
        `INSERT INTO refund (id, payment_id, amount_paise, state, way, reason, next_try_at,
           created_at, updated_at) VALUES (?, ?, 300, ?, 'provider', 'cancelled', 9, 1, 1)`,
        [`${id} ${state}`, id, state],
      );
    }
  }
  await migrate(db);
  expect(db.allRaw("SELECT id, state, next_try_at FROM refund ORDER BY id")).toEqual([
    { id: "lost pending", state: "pending", next_try_at: 9 },
    { id: "lost wanted", state: "superseded", next_try_at: null },
    { id: "partly pending", state: "pending", next_try_at: 9 },
    { id: "partly wanted", state: "wanted", next_try_at: 9 },
  ]);
  db.close();
});
