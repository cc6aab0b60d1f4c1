import { afterEach, describe, expect, it, vi } from "vitest";
import { RendererBusy } from "#app/core/document-renderer.ts";
import { type Lane, Lanes } from "./lanes.ts";

/** Asks for turns in the order given; `started` names them as they come. */
function asked(lanes: Lanes, wishes: readonly Lane[]) {
  const started: string[] = [];
  const turns = wishes.map((lane, i) => lanes.take(lane).then(() => started.push(`${lane} ${i}`)));
  return { started, turns };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("the lanes of the document threads", () => {
  it("take turns, whatever waits in the other one", async () => {
    const lanes = new Lanes(1, 100);
    const { started } = asked(lanes, [...Array<Lane>(50).fill("documents"), "files", "files"]);
    for (const lane of ["documents", "files", "documents"] as const) {
      await settled();
      lanes.give(lane);
    }
    await settled();
    expect(started).toEqual(["documents 0", "files 50", "documents 1", "files 51"]);
  });

  it("leave a thread to the documents while long files are made", async () => {
    const lanes = new Lanes(2, 100);
    const { started } = asked(lanes, ["files", "files", "documents", "documents"]);
    await settled();
    expect(started).toEqual(["files 0", "documents 2"]);
    lanes.give("documents");
    await settled();
    expect(started).toEqual(["files 0", "documents 2", "documents 3"]);
    lanes.give("files");
    await settled();
    expect(started.at(-1)).toBe("files 1");
  });

  it("refuse what waits behind too many, in that lane alone", async () => {
    const lanes = new Lanes(1, 2);
    await lanes.take("documents");
    const { turns } = asked(lanes, ["documents", "documents", "documents", "files"]);
    await expect(turns[2]).rejects.toBeInstanceOf(RendererBusy);
    lanes.refuseWaiting();
    const results = await Promise.allSettled(turns);
    expect(results.map(({ status }) => status)).toEqual(Array(4).fill("rejected"));
  });

  it.each([
    [1, ["files"], ["files"]],
    [1, ["documents", "documents"], ["documents"]],
    [2, ["files", "files"], ["files"]],
    [2, ["files", "documents", "documents"], ["files", "documents"]],
    [3, ["files", "files", "files"], ["files", "files"]],
    [3, ["documents", "documents", "documents", "documents"], Array(3).fill("documents")],
  ] as [threads: number, wishes: Lane[], started: Lane[]][])(
    "of %i threads, wishes for %j start %j, again when all of these have ended",
    async (threads, wishes, begun) => {
      const lanes = new Lanes(threads, 100);
      for (let round = 0; round < 2; round++) {
        const { started, turns } = asked(lanes, wishes);
        await settled();
        expect(started.map((turn) => turn.split(" ")[0])).toEqual(begun);
        for (const [i, lane] of wishes.entries()) {
          await turns[i];
          lanes.give(lane);
        }
      }
    },
  );

  describe("of a wait that is too long", () => {
    afterEach(() => void vi.useRealTimers());

    it("tell after a minute and a half, and give the turn to the next", async () => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      const timers = vi.spyOn(globalThis, "setTimeout");
      const lanes = new Lanes(1, 100);
      await lanes.take("documents");
      const first = lanes.take("documents");
      const refused = expect(first).rejects.toBeInstanceOf(RendererBusy);
      expect(timers.mock.results.map(({ value }) => value.hasRef())).toEqual([false]);
      vi.advanceTimersByTime(1);
      const { started } = asked(lanes, ["documents", "documents"]);
      vi.advanceTimersByTime(89_998);
      expect(await Promise.race([first.catch(() => "refused"), settled()])).toBeUndefined();
      vi.advanceTimersByTime(1);
      await refused;
      lanes.give("documents");
      await settled();
      expect(started).toEqual(["documents 0"]);
      lanes.give("documents");
      await settled();
      expect(started).toEqual(["documents 0", "documents 1"]);
      expect(vi.getTimerCount()).toBe(0);
    });
  });
});
