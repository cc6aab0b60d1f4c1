import { describe, expect, it } from "vitest";
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
});
