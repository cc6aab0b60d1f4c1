import { describe, expect, it } from "vitest";
import { WorkQueue } from "#app/core/work-queue.server.ts";
import { keptDocuments } from "#app/documents/render/pool.server.ts";
import { ledgerRow } from "#tests/support/ledger-rows.ts";

/** Documents of 100 bytes each; `rendered` holds their numbers in the order they were made. */
function keeping(mostBytes: number) {
  const rendered: string[] = [];
  const queue = new WorkQueue({ mostWaiting: 10, mostOfOwner: 10 });
  const kept = keptDocuments((printed, key) => {
    const number = [printed]
      .flat()
      .map((document) => document.number)
      .join();
    const begin = async () => {
      rendered.push(number);
      await new Promise((resolve) => setImmediate(resolve));
      if (number === "broken") throw new Error("cannot be rendered");
      return Buffer.alloc(100, number);
    };
    return queue.run({ owner: "documents", key, begin });
  }, mostBytes);
  const read = (number: string, more = {}) => kept({ ...ledgerRow({ number }), ...more });
  const month = (...numbers: string[]) => kept(numbers.map((number) => ledgerRow({ number })));
  return { rendered, read, month };
}

describe("kept documents", () => {
  it("are rendered once for all who ask, at once and later", async () => {
    const { rendered, read } = keeping(1_000);
    const all = await Promise.all(Array.from({ length: 200 }, () => read("1")));
    expect(new Set(all).size).toBe(1);
    expect((await read("1")).equals(all[0]!)).toBe(true);
    expect(rendered).toEqual(["1"]);
  });

  it("are a month's file too, until another document is in it", async () => {
    const { rendered, read, month } = keeping(1_000);
    await Promise.all([month("1", "2"), month("1", "2"), read("1")]);
    await month("1", "2");
    await month("1", "2", "3");
    expect(rendered).toEqual(["1,2", "1", "1,2,3"]);
  });

  it("are told apart by all that is printed", async () => {
    const { rendered, read } = keeping(1_000);
    await read("1");
    await read("1", { customerName: "Somebody Else" });
    await read("1", { invoiceDate: "2026-11-21" });
    expect(rendered).toHaveLength(3);
  });

  it("stay within their bytes; the one asked for longest ago goes", async () => {
    const { rendered, read } = keeping(300);
    for (const number of ["1", "2", "3", "1", "4", "1", "2"]) await read(number);
    expect(rendered).toEqual(["1", "2", "3", "4", "2"]);
  });

  it("are kept up to four megabytes, and none that is larger than half of that", async () => {
    const MB = 2 ** 20;
    const rendered: number[] = [];
    const kept = keptDocuments(async (printed) => {
      const { serial } = [printed].flat()[0]!;
      rendered.push(serial);
      return Buffer.alloc(serial);
    });
    const sizes = [2 * MB + 1, 2 * MB + 1, 2 * MB, 2 * MB - 1, 2 * MB, 1, 2 * MB, 2, 2 * MB - 1];
    for (const serial of sizes) await kept(ledgerRow({ serial }));
    expect(rendered).toEqual([...sizes.slice(0, 4), 1, 2, 2 * MB - 1]);
  });

  it("keep no failure", async () => {
    const { rendered, read } = keeping(300);
    await expect(read("broken")).rejects.toThrow();
    await expect(read("broken")).rejects.toThrow();
    expect(rendered).toHaveLength(2);
  });
});
