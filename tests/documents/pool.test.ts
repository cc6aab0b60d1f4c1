import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { constants, getPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  type DocumentRenderer,
  MAX_DOCUMENTS_IN_FILE,
  TooManyDocuments,
} from "#app/core/services.ts";
import type { ThreadOptions } from "#app/core/thread-pool.server.ts";
import { QueueFull } from "#app/core/work-queue.server.ts";
import { createDocumentRenderer } from "#app/documents/render/pool.server.ts";
import { makeDeps, type TestDeps } from "#tests/support/deps.ts";
import { ledgerRow } from "#tests/support/ledger-rows.ts";
import { insertManyAppointments } from "#tests/support/many-appointments.ts";

const open: DocumentRenderer[] = [];

let test: TestDeps;
beforeAll(async () => {
  test = await makeDeps();
  insertManyAppointments(test.deps.db, 20_000);
});
afterAll(() => test.close());

function renderer({
  maxQueue,
  ...own
}: Partial<ThreadOptions> & { maxQueue?: number }): DocumentRenderer {
  const made = createDocumentRenderer({ databasePath: test.deps.db.path, own, maxQueue });
  open.push(made);
  return made;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((made) => made.close()));
});

/** Threads of ours in this process; 0 where the system does not tell. */
function threadCount(): number {
  if (process.platform !== "linux") return 0;
  const names = readdirSync("/proc/self/task").map((thread) => {
    try {
      return readFileSync(`/proc/self/task/${thread}/comm`, "utf8").trim();
    } catch {
      return "ended meanwhile";
    }
  });
  return names.filter((name) => name === "WorkerThread").length;
}

describe("the document pool", () => {
  it("renders in a thread, the same bytes each time", async () => {
    const documents = renderer({ threads: 1 });
    const [first, second] = await Promise.all([
      documents.renderDocument(ledgerRow()),
      renderer({ threads: 1 }).renderDocument(ledgerRow()),
    ]);
    expect(Buffer.isBuffer(first)).toBe(true);
    expect(first.subarray(0, 5).toString()).toBe("%PDF-");
    expect(first.equals(second)).toBe(true);
    const month = await documents.renderMonth([ledgerRow(), ledgerRow()]);
    expect(month.subarray(0, 5).toString()).toBe("%PDF-");
    const workbook = await documents.renderExport({ statuses: ["rescheduled"] }, 20_000);
    expect(workbook?.rows).toBe(2_000);
    expect(workbook?.bytes.subarray(0, 2).toString()).toBe("PK");
  });

  it("is busy when the queue is full, and takes work again after", async () => {
    const documents = renderer({ threads: 1, maxQueue: 2 });
    const results = await Promise.allSettled(
      ["1", "2", "3", "4", "5"].map((number) => documents.renderDocument(ledgerRow({ number }))),
    );
    const refused = results.filter((result) => result.status === "rejected");
    expect(refused).toHaveLength(2);
    for (const result of refused) expect(result.reason).toBeInstanceOf(QueueFull);
    expect((await documents.renderDocument(ledgerRow())).length).toBeGreaterThan(1000);
  });

  it("survives a document that cannot be rendered", async () => {
    const documents = renderer({ threads: 1 });
    await expect(
      documents.renderDocument(ledgerRow({ description: null as never })),
    ).rejects.toThrow();
    await expect(documents.renderMonth([])).rejects.toThrow("no documents");
    expect((await documents.renderDocument(ledgerRow())).length).toBeGreaterThan(1000);
  });

  it("goes on after a thread has died of its memory limit", async () => {
    const documents = renderer({ threads: 1, memoryMb: 24 });
    const [tooMuch, next] = await Promise.allSettled([
      documents.renderExport({}, 20_000),
      documents.renderDocument(ledgerRow()),
    ]);
    expect(tooMuch.status).toBe("rejected");
    expect(next.status).toBe("fulfilled");
  });

  it("writes the longest export within 64 MB", async () => {
    const documents = renderer({ threads: 1, memoryMb: 64 });
    expect((await documents.renderExport({}, 20_000))?.rows).toBe(20_000);
  });

  it("ends its thread when idle, and makes what is asked for after, or just then", async () => {
    const idleMs = 100;
    const documents = renderer({ threads: 1, idleMs });
    const before = threadCount();
    await documents.renderDocument(ledgerRow());
    await expect.poll(threadCount, { timeout: 10_000 }).toBe(before);
    for (const late of [-2, 0, 2]) {
      // Anew each time, for what is known is not rendered.
      const number = `AC/26-27/${late}`;
      expect((await documents.renderDocument(ledgerRow({ number }))).length).toBeGreaterThan(1000);
      await new Promise((resolve) => setTimeout(resolve, idleMs + late));
    }
  });

  it("refuses a file of too many documents", async () => {
    const rows = Array.from({ length: MAX_DOCUMENTS_IN_FILE + 1 }, () => ledgerRow());
    await expect(renderer({}).renderMonth(rows)).rejects.toBeInstanceOf(TooManyDocuments);
  });

  it("finishes work in hand when closed and refuses what waits", async () => {
    const documents = renderer({ threads: 1 });
    const results = Promise.allSettled([
      documents.renderDocument(ledgerRow({ number: "1" })),
      documents.renderDocument(ledgerRow({ number: "2" })),
    ]);
    await documents.close();
    expect((await results).map((result) => result.status)).toEqual(["fulfilled", "rejected"]);
  });

  it.runIf(process.platform === "linux")("and V8's collectors stand back", async () => {
    const priorities = () =>
      readdirSync("/proc/self/task")
        .map((thread) => ({
          name: readFileSync(`/proc/self/task/${thread}/comm`, "utf8").trim(),
          priority: getPriority(Number(thread)),
        }))
        .filter(({ name }) => ["V8Worker", "WorkerThread"].includes(name));
    await renderer({ threads: 1 }).renderDocument(ledgerRow());
    // Of the test's own thread, as whoever runs it has set it.
    const lower = Math.min(getPriority() + 10, constants.priority.PRIORITY_LOW);
    const seen = priorities();
    expect(new Set(seen.map(({ name }) => name))).toEqual(new Set(["V8Worker", "WorkerThread"]));
    expect(seen.filter(({ priority }) => priority !== lower)).toEqual([]);
  });

  it("does not keep the process alive", async () => {
    const folder = fileURLToPath(new URL("../../app/documents/render/", import.meta.url));
    const script = `
      const { createDocumentRenderer } = await import(${JSON.stringify(`${folder}pool.server.ts`)});
      const { ledgerRow } = await import("#tests/support/ledger-rows.ts");
      console.log((await createDocumentRenderer({ databasePath: "" }).renderDocument(ledgerRow())).length);
    `;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--input-type=module", "--eval", script],
      { timeout: 50_000, cwd: folder },
    );
    expect(Number(stdout)).toBeGreaterThan(1000);
  });
});
