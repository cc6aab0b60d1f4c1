/** Writes of captains, each beside the other captain. */
import { expect, it } from "vitest";
import { findCounselorByKey, findCounselorByName } from "#app/model/catalogue.ts";
import { storedRows } from "#tests/support/stored-rows.ts";
import { readCatalogue, updateCounselor } from "./catalogue.server.ts";

const { db } = storedRows();

it("a captain keeps every name there ever was, and a change raises that one's version by one", () => {
  const captain = (key: string) => findCounselorByKey(readCatalogue(db()), key)!;
  const [before, other] = [captain("asha"), captain("rohan")];
  for (const name of ["Capt. Second Name", "Capt. Third Name"]) {
    updateCounselor(db(), { ...captain("asha"), name, sample: false }, 1);
  }
  const { name, formerNames, version } = captain("asha");
  expect([name, version]).toEqual(["Capt. Third Name", before.version + 2]);
  expect(formerNames.toSorted()).toEqual([before.name, "Capt. Second Name"].toSorted());
  const keys = [before.name, "capt. second name", name, other.name].map(
    (one) => findCounselorByName(readCatalogue(db()), one)?.key,
  );
  expect(keys).toEqual(["asha", "asha", "asha", "rohan"]);
  expect(captain("rohan")).toEqual(other);
});

it("a captain's text is the same whether its lines end in CRLF or LF", () => {
  db().runRaw("UPDATE counselor SET description = ? WHERE key = 'asha'", ["One\r\nTwo"]);
  const { description } = findCounselorByKey(readCatalogue(db()), "asha")!;
  expect(description).toBe("One\nTwo");
});
