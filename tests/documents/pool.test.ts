import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { constants, getPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  type DocumentRenderer,
  MAX_DOCUMENTS_IN_FILE,
  TooManyDocuments,
} from "#app/core/services.ts";
import type { ThreadOptions } from "#app/core/thread-pool.server.ts";
import { QueueFull } from "#app/core/work-queue.server.ts";
import { createDocumentRenderer } from "#app/documents/render/pool.server.ts";
import { sharedDeps } from "#tests/support/hooks.ts";
import { ledgerRow } from "#tests/support/ledger-rows.ts";
import { insertManyAppointments } from "#tests/support/many-appointments.ts";

const open: DocumentRenderer[] = [];

const test = sharedDeps();
/** With one thread and room for two that wait, closed by the last test: a thread costs a second. */
let documents: DocumentRenderer;
beforeAll(() => {
  insertManyAppointments(test.deps.db, 1_000);
  const own = { threads: 1, idleMs: 600_000 };
  documents = createDocumentRenderer({ databasePath: test.deps.db.path, own, maxQueue: 2 });
});

function renderer(own: Partial<ThreadOptions> = {}): DocumentRenderer {
  const options = { databasePath: test.deps.db.path, own: { threads: 1, ...own } };
  const made = createDocumentRenderer(options);
  open.push(made);
  return made;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((made) => made.close()));
});

/** Threads of this process with their priority; none where the system does not tell. */
function threads(...names: string[]) {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc/self/task").flatMap((thread) => {
    try {
      const name = readFileSync(`/proc/self/task/${thread}/comm`, "utf8").trim();
      return names.includes(name) ? [{ name, priority: getPriority(Number(thread)) }] : [];
    } catch {
      // Ended meanwhile.
      return [];
    }
  });
}

describe("the document pool", () => {
  it("renders in a thread that stands back", async () => {
    const invoice = await documents.renderDocument(ledgerRow());
    expect(Buffer.isBuffer(invoice)).toBe(true);
    expect(invoice.subarray(0, 5).toString()).toBe("%PDF-");
    // V8's collectors too; of the test's own thread, as whoever runs it has set it.
    const lower = Math.min(getPriority() + 10, constants.priority.PRIORITY_LOW);
    const seen = threads("V8Worker", "WorkerThread");
    if (process.platform === "linux")
      expect(new Set(seen.map(({ name }) => name))).toEqual(new Set(["V8Worker", "WorkerThread"]));
    expect(seen.filter(({ priority }) => priority !== lower)).toEqual([]);
    const month = await documents.renderMonth([ledgerRow(), ledgerRow()]);
    expect(month.subarray(0, 5).toString()).toBe("%PDF-");
    const workbook = await documents.renderExport({ statuses: ["rescheduled"] }, 20_000);
    expect(workbook?.rows).toBe(100);
    expect(workbook?.bytes.subarray(0, 2).toString()).toBe("PK");
  });

  it("is busy when the queue is full, and takes work again after", async () => {
    const results = await Promise.allSettled(
      ["1", "2", "3", "4", "5"].map((number) => documents.renderDocument(ledgerRow({ number }))),
    );
    const refused = results.filter((result) => result.status === "rejected");
    expect(refused).toHaveLength(2);
    for (const result of refused) expect(result.reason).toBeInstanceOf(QueueFull);
    // More than there is room for, but one job.
    const same = await Promise.all(
      ["6", "6", "6", "6", "6"].map((number) => documents.renderDocument(ledgerRow({ number }))),
    );
    expect(new Set(same.map(String)).size).toBe(1);
    const after = await documents.renderDocument(ledgerRow({ number: "again" }));
    expect(after.length).toBeGreaterThan(1000);
  });

  it("survives a document that cannot be rendered, and refuses a file of too many", async () => {
    const broken = ledgerRow({ description: null as never });
    await expect(documents.renderDocument(broken)).rejects.toThrow();
    await expect(documents.renderMonth([])).rejects.toThrow("no documents");
    const rows = Array.from({ length: MAX_DOCUMENTS_IN_FILE + 1 }, () => ledgerRow());
    await expect(documents.renderMonth(rows)).rejects.toBeInstanceOf(TooManyDocuments);
    const after = await documents.renderDocument(ledgerRow({ number: "7" }));
    expect(after.length).toBeGreaterThan(1000);
  });

  it("goes on after a thread has died of its memory limit", async () => {
    const small = renderer({ memoryMb: 64 });
    const [tooMuch, next] = await Promise.allSettled([
      small.renderDocument(ledgerRow({ description: "words ".repeat(1_000_000) })),
      small.renderDocument(ledgerRow()),
    ]);
    expect(tooMuch).toMatchObject({ reason: { code: "ERR_WORKER_OUT_OF_MEMORY" } });
    // The same bytes each time.
    expect(next).toEqual({
      status: "fulfilled",
      value: await documents.renderDocument(ledgerRow()),
    });
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

  it("finishes work in hand when closed and refuses what waits", async () => {
    const results = Promise.allSettled([
      documents.renderDocument(ledgerRow({ number: "9" })),
      documents.renderDocument(ledgerRow({ number: "10" })),
    ]);
    await documents.close();
    expect((await results).map((result) => result.status)).toEqual(["fulfilled", "rejected"]);
  });
});
