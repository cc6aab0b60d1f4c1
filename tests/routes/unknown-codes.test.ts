/** Rows whose codes nobody knows, as another version may have left them: read, said, and no reason to fail. */
import readXlsxFile from "read-excel-file/node";
import { beforeAll, describe, expect, it } from "vitest";
import { book, bookAndPay, pay } from "#tests/support/admin.ts";
import { allSent } from "#tests/support/all-sent.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { expectEverything } from "#tests/support/everything.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";
import { pdfText } from "#tests/support/pdf-text.ts";

const NAME = "Zeenat Rowwala";
/** On a busy machine. */
const LONG = { timeout: 180_000 };
const UNKNOWN = "Unknown (__proto__)";

const app = sharedApp({ separateProcess: true });
const admin = sharedAdmin(app);
/** Bookings by what is wrong with them. */
const ids: Record<string, string> = {};

/** The rules of the schema stay out of the way. */
function spoil(sql: string, parameters: readonly string[] = []): void {
  expect(app.db.runRaw(sql, parameters), sql).toBeGreaterThan(0);
}

beforeAll(async () => {
  const at = (days: number, timeSlot: string) => ({ date: dayAhead(days), timeSlot, name: NAME });
  ids.whole = (await bookAndPay(app, { ...at(20, "09:00"), state: "27" })).id;
  ids.state = (await bookAndPay(app, { ...at(20, "10:00"), state: "27" })).id;
  ids.reason = (await bookAndPay(app, at(20, "11:00"))).id;
  await admin(`/appointments/${ids.reason}/cancel`, { method: "POST" });
  ids.status = (await book(app, at(20, "14:00"))).id;
  ids.day = (await bookAndPay(app, at(20, "15:00"))).id;
  ids.unpaid = (await book(app, { ...at(21, "10:00"), state: "27" })).id;
  await eventually(() =>
    expect(app.db.firstRaw("SELECT 1 FROM document WHERE kind = 'credit_note'")).toBeDefined(),
  );
  await allSent(app);
  const triggers = app.db.allRaw<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '%RAISE%'",
  );
  for (const { name } of triggers) app.db.driver.exec(`DROP TRIGGER ${name}`);
  app.db.driver.pragma("ignore_check_constraints = ON");

  const { state, reason, status, day, unpaid } = ids as Record<string, string>;
  spoil("UPDATE appointment SET state_code = '__proto__' WHERE id IN (?, ?)", [state!, unpaid!]);
  spoil("UPDATE document SET state_code = '__proto__', supplier = '[]' WHERE appointment_id = ?", [
    state!,
  ]);
  spoil("UPDATE appointment SET cancel_reason = '__proto__' WHERE id = ?", [reason!]);
  spoil(
    "UPDATE document SET state_code = 'constructor', supplier = 'null' WHERE appointment_id = ?",
    [reason!],
  );
  spoil("UPDATE refund SET state = '__proto__' WHERE appointment_id = ?", [reason!]);
  spoil("UPDATE payment SET outcome = '__proto__' WHERE appointment_id = ?", [reason!]);
  spoil("UPDATE appointment SET status = '__proto__', counselor_key = 'toString' WHERE id = ?", [
    status!,
  ]);
  spoil("UPDATE appointment SET on_date = 'someday', time_slot = '__proto__' WHERE id = ?", [day!]);
  spoil("UPDATE document SET layout = 7 WHERE appointment_id = ? AND kind = 'credit_note'", [
    reason!,
  ]);
  spoil("UPDATE document SET on_date = '__proto__', minutes = -1 WHERE appointment_id = ?", [day!]);
  const about = "appointment_id = ? AND channel = 'email' AND audience = 'customer'";
  spoil(`UPDATE message SET state = '__proto__', channel = 'toString' WHERE ${about}`, [state!]);
  spoil(`UPDATE message SET kind = '__proto__', data = '[1, 2]' WHERE ${about}`, [day!]);
  spoil("UPDATE message SET data = ? WHERE appointment_id = ? AND channel = 'whatsapp'", [
    '{"by":"constructor","appointmentIds":"x","startsAt":"soon"}',
    day!,
  ]);
  const log = `INSERT INTO activity (at, actor, action, target, "before", "after") VALUES`;
  spoil(`${log} (1, '__proto__', '__proto__', ?, '{"__proto__":1,"toString":{"a":1}}', '{}')`, [
    state!,
  ]);
  spoil(`${log} (2, 'x', 'constructor', ?, 'no json', '"text"')`, [state!]);
  const times = "INSERT INTO availability (counselor_key, on_date, time_slots, updated_at) VALUES";
  spoil(`${times} ('asha', ?, '{"a":1}', 0)`, [dayAhead(12)]);
  spoil(`${times} ('asha', ?, '["10:00", 7]', 0)`, [dayAhead(13)]);
  spoil(`${times} ('asha', ?, '["10:00"]', 0)`, [`${dayAhead(12)}x`]);
  const event =
    "INSERT INTO provider_event (event_id, kind, body, state, next_try_at, received_at)";
  spoil(`${event} VALUES ('e1', '__proto__', 'no json', 'new', 1, 1)`);
  spoil(`${event} VALUES ('e2', 'constructor', '{"event":"x","payload":[]}', 'new', 2, 2)`);
  spoil("INSERT INTO block VALUES ('asha', ?, '__proto__', NULL, 0)", [dayAhead(14)]);
  spoil("INSERT INTO block VALUES ('asha', ?, '10:00', NULL, 0)", [`${dayAhead(13)}x`]);
});

describe("with rows that it does not understand", () => {
  it("every list, page, document and file is read", LONG, async () => {
    await expectEverything(app, admin.token);
  });

  it("the workbook, the ledger's page and the PDF say so", async () => {
    const sheets = await readXlsxFile((await admin("/export")).bytes);
    const cells = sheets.map(({ data }) => data.flat().map(String));
    expect(sheets[0]!.data).toHaveLength(7);
    for (const [sheet, text] of [
      [0, UNKNOWN],
      [0, "27-Maharashtra"],
      [1, UNKNOWN],
      [1, "Unknown (constructor)"],
      [1, "27-Maharashtra"],
    ] as const) {
      expect(cells[sheet], text).toContain(text);
    }
    const ledger = await admin.page("/admin/documents");
    for (const text of [UNKNOWN, "Unknown (constructor)", "Maharashtra"]) {
      expect(ledger.html).toContain(text);
    }
    const layout = "This document cannot be shown: its layout 7 is not known here.";
    expect(ledger.html).toContain(layout);
    expect(ledger.html).toContain(`The place of supply cannot be read: ${UNKNOWN}.`);
    const pdf = await app.api(`/api/invoice/${ids.state}`);
    expect(await pdfText(pdf.bytes)).toContain(`Place of supply ${UNKNOWN}`);
    const pages = await pdfText((await admin.page("/admin/documents/month")).bytes);
    for (const text of [layout, UNKNOWN, "Place of supply Maharashtra (27)"]) {
      expect(pages).toContain(text);
    }
  });

  it("an unknown state is no reason to lose a payment: the invoice takes the supplier's", async () => {
    expect((await pay(app, ids.unpaid!)).status).toBe("confirmed");
    const invoice = "SELECT state_code AS state FROM document WHERE appointment_id = ?";
    expect(app.db.firstRaw<{ state: string }>(invoice, [ids.unpaid])?.state).toBe("29");
  });

  it("the log names a code once per reading, without the row", async () => {
    const lines = () =>
      app
        .server!.output()
        .split("\n")
        .filter((line) => line.includes("not known here"))
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    const ofLedger = () =>
      lines()
        .map(({ code }) => code)
        .filter((code) => code === "__proto__" || code === "constructor");
    const before = ofLedger().length;
    expect((await admin.page("/admin/documents")).status).toBe(200);
    await eventually(() => expect(ofLedger().length).toBeGreaterThan(before + 1));
    expect(ofLedger().slice(before).sort()).toEqual(["__proto__", "constructor"]);
    for (const line of lines()) {
      expect(Object.keys(line).sort()).toEqual(["code", "level", "msg", "time"]);
    }
    const logged = new Set(lines().map(({ code }) => code));
    for (const code of ["message.data", "activity", "availability.time_slots", "someday"]) {
      expect(logged).toContain(code);
    }
    expect(app.server!.output()).not.toContain(NAME);
  });
});
