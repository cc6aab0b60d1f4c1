import { describe, expect, it } from "vitest";
import {
  bookable,
  type Catalogue,
  type Counselor,
  counselorNamed,
  findCounselorByKey,
  findCounselorByName,
  findPackage,
  portraitSource,
  type SessionPackage,
} from "./catalogue.ts";
import { meetingAt } from "./room.ts";

const captain = (key: string, more: Partial<Counselor> = {}): Counselor => ({
  key,
  name: `Capt. ${key}`,
  formerNames: [],
  title: "",
  description: "",
  ...{
    yearsOfExperience: null,
    rating: null,
    sessions: null,
    specialties: [],
    languages: [],
    email: "",
  },
  ...{
    meeting: { kind: "call" },
    room: { kind: "phone" },
    portrait: null,
    active: true,
    sample: false,
  },
  position: 0,
  version: 1,
  ...more,
});
const session = (minutes: 30 | 45 | 60, active = true): SessionPackage => ({
  minutes,
  active,
  price: 999,
  label: "",
  description: "",
  questions: [],
  version: 1,
});
const catalogue: Catalogue = {
  counselors: [
    captain("a", { formerNames: ["Capt. Élan", "Capt. b"] }),
    captain("b"),
    captain("gone", { active: false }),
    captain("sample", { sample: true }),
  ],
  packages: [session(30), session(45, false), session(60)],
  defaultTimes: [],
  links: [],
  version: 1,
};

describe("a captain", () => {
  it.each([
    ["Capt. a", "a"],
    [" CAPT. A ", "a"],
    ["capt. élan", "a"],
    ["Capt. E\u0301lan", "a"],
    // A present name wins over a former one.
    ["Capt. B", "b"],
    ["Capt. gone", "gone"],
    ["Capt.", undefined],
    ["", undefined],
  ])("%j is found by present or former name: %s", (name, key) => {
    expect(findCounselorByName(catalogue, name)?.key).toBe(key);
    expect(counselorNamed(catalogue, name).ok).toBe(key !== undefined);
  });

  it("is found by key, a package by its minutes", () => {
    expect(findCounselorByKey(catalogue, "b")?.name).toBe("Capt. b");
    expect(findCounselorByKey(catalogue, "c")).toBeNull();
    expect(findPackage(catalogue, 45)?.minutes).toBe(45);
    expect(findPackage(catalogue, 90)).toBeNull();
  });

  it("calls where there is no link", () => {
    const url = "https://meet.example/a";
    expect(meetingAt(url)).toEqual({ kind: "link", url });
    expect(meetingAt(null)).toEqual({ kind: "call" });
  });
});

it("visitors may book who and what is on the page, samples only where they are allowed", () => {
  const keys = (samples: boolean) => bookable(catalogue, samples).counselors.map(({ key }) => key);
  expect(keys(true)).toEqual(["a", "b", "sample"]);
  expect(keys(false)).toEqual(["a", "b"]);
  expect(bookable(catalogue, true).packages.map(({ minutes }) => minutes)).toEqual([30, 60]);
});

it("a portrait is a sample's file, or a stored one in its widths", () => {
  expect(portraitSource("asha.svg")).toEqual({ src: "/portraits/asha.svg" });
  expect(portraitSource("x1")).toEqual({
    src: "/portraits/x1/192.webp",
    srcSet: "/portraits/x1/96.webp 96w, /portraits/x1/192.webp 192w, /portraits/x1/288.webp 288w",
  });
});
