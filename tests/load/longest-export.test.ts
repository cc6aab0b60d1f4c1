/** The longest workbook there may be, in less memory than its thread has. */
import { expect, it } from "vitest";
import { createDocumentRenderer } from "#app/documents/render/pool.server.ts";
import { sharedDeps } from "#tests/support/hooks.ts";
import { insertManyAppointments } from "#tests/support/many-appointments.ts";

const MOST_ROWS = 20_000;

const test = sharedDeps();

it("the longest export is written within 64 MB", async () => {
  const { db } = test.deps;
  insertManyAppointments(db, MOST_ROWS);
  const own = { threads: 1, memoryMb: 64 };
  const documents = createDocumentRenderer({ databasePath: db.path, own });
  expect((await documents.renderExport({}, MOST_ROWS))?.rows).toBe(MOST_ROWS);
  await documents.close();
});
