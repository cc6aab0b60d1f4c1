/** Databases of any size, filled by plain SQL: years of history and a calendar that is half booked. */
import { COUNSELORS, DEFAULT_TIMES, PACKAGES } from "#app/catalogue.ts";
import { addDays, DAY, dateInIndia, financialYear, instantOf, MINUTE } from "#app/model/dates.ts";
import { MASTER_TIMES } from "#app/model/day-plan.ts";
import { newId } from "#app/model/ids.ts";
import { priceOf } from "#app/model/money.ts";
import { type Db, inTransaction, migrate, openDb } from "#db/connection.server.ts";

/** Sessions of one counselor on a past day. */
const A_DAY = 20;
/** The first days stay free: a session that starts soon would cause reminders during the run. */
export const FREE_DAYS = 3;
/** Until this day from today every second time is booked; later days are free again. */
export const BOOKED_DAYS = 95;

/** The longest booking window that the configuration admits: every booking needs a time of its own. */
export const WINDOW_DAYS = 3_660;

/** How many customers there are; further bookings are by the same people. */
export const CUSTOMERS = 60_000;

/** Rows of a past day. */
export const ROWS_PER_DAY = A_DAY * COUNSELORS.length;

const FIRST =
  "Meera Arjun Zoya Kabir Ananya Dev Ishita Rohan Sana Vikram Priya Aarav Tara Neel Diya Farhan Kavya Manav Nisha Omkar Pooja Rahul Simran Tanvi Uday Varun Yash Zara Aditi Bhavna Chetan Gauri".split(
    " ",
  );
const LAST =
  "Pillai Nair Khan Singh Rao Joshi Menon Gupta Iyer Sharma Das Bose Reddy Patel Shah Kulkarni Desai Fernandes Ghosh Hegde Jain Kapoor Lobo Mishra Naidu Ohri Prasad Qureshi Saxena Thomas Varma Yadav Bhat".split(
    " ",
  );

/** Makes the file with exactly `appointments` rows; seven in eight are paid and invoiced. */
export async function fillDatabase(path: string, appointments: number): Promise<void> {
  const db = openDb(path);
  await migrate(db);
  db.driver.pragma("synchronous = OFF");
  db.driver.pragma("cache_size = -400000");
  inTransaction(db, (tx) => insertSessions(tx, appointments));
  // A backup of the whole file at the start would be measured with everything else.
  db.runRaw("INSERT INTO setting (key, value) VALUES ('last_backup', ?)", [
    JSON.stringify({ at: Date.now(), bytes: 0, ms: 0 }),
  ]);
  db.driver.pragma("wal_checkpoint(TRUNCATE)");
  db.close();
}

/** The coming days first, every second default time, then the history backwards. */
function insertSessions(tx: Db, count: number): void {
  const today = dateInIndia(Date.now());
  const coming = BOOKED_DAYS - FREE_DAYS;
  let made = 0;
  for (let i = 0; ; i++) {
    const isComing = i < coming;
    const day = isComing ? FREE_DAYS + i : coming - i - 1;
    const times = isComing
      ? DEFAULT_TIMES.filter((_, index) => (index + day) % 2 === 0)
      : MASTER_TIMES.slice(0, A_DAY);
    for (const counselor of COUNSELORS) {
      for (const timeSlot of times) {
        if (made++ === count) return;
        const { minutes, price } = PACKAGES[isComing ? made % PACKAGES.length : 0]!;
        const isCancelled = !isComing && made % 8 === 0;
        const isMoved = !isComing && made % 9 === 0;
        const date = addDays(today, day);
        const status = isCancelled ? "cancelled" : isMoved ? "rescheduled" : "confirmed";
        insertSession(tx, made, { counselor, date, timeSlot, minutes, price, status });
      }
    }
  }
}

const HOSTS = ["gmail.com", "yahoo.co.in", "outlook.com", "rediffmail.com", "example.in"];

/** The nth visitor; about every thousandth has the same name, nobody the same address. */
export function visitor(n: number): { name: string; email: string; phone: string } {
  const name = `${FIRST[n % FIRST.length]} ${LAST[n % LAST.length]}`;
  return {
    name,
    email: `${name.toLowerCase().replace(" ", ".")}.${n}@${HOSTS[n % HOSTS.length]}`,
    phone: `+9198${String((n * 7919) % 100_000_000).padStart(8, "0")}`,
  };
}

const APPOINTMENT = `INSERT INTO appointment (seq, id, name, email, phone, counselor_key, counselor_name,
  on_date, time_slot, minutes, starts_at, ends_at, base_paise, gst_paise, total_paise, status, state_code,
  notes, pay_before, hold_until, calendar_uid, notice_version, notice_at, created_at, updated_at)
  VALUES (@n, @id, @name, @email, @phone, @counselorKey, @counselor, @date, @timeSlot, @minutes, @startsAt,
  @endsAt, @basePaise, @gstPaise, @totalPaise, @status, '29', @notes, @madeAt + 900000, @madeAt + 1800000, @uid,
  '2026-11', @madeAt, @madeAt, @madeAt)`;
const SESSION_TIME = `INSERT INTO session_time (appointment_id, counselor_key, starts_at, ends_at, held_until)
  VALUES (@id, @counselorKey, @startsAt, @endsAt, NULL)`;
const PAYMENT = `INSERT INTO payment (payment_id, order_id, appointment_id, amount_paise, currency,
  provider_status, outcome, method, fee_paise, fee_tax_paise, captured_at, created_at, updated_at)
  VALUES (@paymentId, @orderId, @id, @totalPaise, 'INR', 'captured', 'applied', 'upi',
  2358, 424, @madeAt, @madeAt, @madeAt)`;
const INVOICE = `INSERT INTO document (number, kind, series, financial_year, serial, on_date, issued_at,
  appointment_id, payment_id, customer_name, state_code, description, minutes, sac, taxable_paise,
  cgst_paise, sgst_paise, igst_paise, total_paise, sample, supplier)
  VALUES (@number, 'invoice', 'B', @year, @n, @onDate, @madeAt, @id, @paymentId, @name, '29', @text,
  @minutes, '999299', @basePaise, @gstPaise / 2, @gstPaise / 2, 0, @totalPaise, 0,
  '{"name":"Test Aviation Counselling","address":"1 Test Road, Bengaluru 560001, Karnataka","state":"29","gstin":"29ABCDE1234F1ZW","sac":"999299"}')`;

interface Session {
  counselor: { key: string; name: string };
  date: string;
  timeSlot: string;
  minutes: number;
  price: number;
  status: "confirmed" | "rescheduled" | "cancelled";
}

function insertSession(tx: Db, n: number, { counselor, price, ...session }: Session): void {
  const startsAt = instantOf(session.date, session.timeSlot);
  const madeAt = Math.min(startsAt - 5 * DAY, Date.now() - MINUTE);
  const onDate = dateInIndia(madeAt);
  const year = financialYear(onDate);
  const values = {
    ...session,
    ...visitor(n <= CUSTOMERS ? n : n - CUSTOMERS + 1_000),
    ...priceOf(price),
    n,
    id: newId(),
    uid: newId(),
    counselorKey: counselor.key,
    counselor: counselor.name,
    startsAt,
    endsAt: startsAt + session.minutes * MINUTE,
    madeAt,
    notes: n % 3 === 0 ? "Which school first?" : null,
    paymentId: `pay_bench${n}`,
    orderId: `order_bench${n}`,
    onDate,
    year,
    number: `B/${year}/${String(n).padStart(6, "0")}`,
    text: `One-on-one aviation career counselling, ${session.minutes} minutes\n${counselor.name}`,
  };
  const isCancelled = session.status === "cancelled";
  for (const sql of isCancelled ? [APPOINTMENT] : [APPOINTMENT, SESSION_TIME, PAYMENT, INVOICE]) {
    tx.runRaw(sql, [values]);
  }
}

/** The nth booking by a call: no two are of one time. */
export function bookingNumber(n: number) {
  const day = BOOKED_DAYS + Math.floor(n / (COUNSELORS.length * DEFAULT_TIMES.length));
  if (day >= WINDOW_DAYS) throw new Error("no more free times: make the measurement shorter");
  return {
    name: "Meera Pillai",
    email: `meera.${n}@example.in`,
    phone: `98450${String(10_000 + (n % 90_000))}`,
    counselor: COUNSELORS[n % COUNSELORS.length]!.name,
    package: 30,
    date: addDays(dateInIndia(Date.now()), day),
    timeSlot: DEFAULT_TIMES[Math.floor(n / COUNSELORS.length) % DEFAULT_TIMES.length],
    packagePrice: 999,
  };
}
