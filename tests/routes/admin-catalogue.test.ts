/** The owner's calls about captains, packages, default times and links. */
import { describe, expect, it } from "vitest";
import { book, bookConfirmed } from "#tests/support/admin.ts";
import { ASHA, bookingBody, dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp();
const admin = sharedAdmin(app);

const put = (path: string, json: object) => admin(path, { method: "PUT", json });
const read = async () => (await admin("/catalogue")).data;
const captain = async (key: string) =>
  (await read()).counselors.find((one: { key: string }) => one.key === key);
const log = async () => (await admin("/activity-logs?pageSize=1")).data.logs[0];

const NEW = {
  name: "Capt. Zoë Müller",
  title: "Captain",
  email: "zoe@captains.example",
  meeting: { kind: "call" },
};
const add = (changes: object = {}) =>
  admin("/counselors", { method: "POST", json: { ...NEW, ...changes } });

it("the catalogue is read whole, and begins with what the code says", async () => {
  const { counselors, packages, defaultTimes, links, version } = await read();
  expect(counselors.map((one: { name: string }) => one.name)).toEqual([ASHA, ROHAN]);
  expect(Object.keys(counselors[0]).sort()).toEqual([
    ...["active", "description", "email", "key", "languages", "meeting", "name", "portrait"],
    ...["position", "rating", "room", "sample", "sessions", "specialties", "title", "version"],
    "yearsOfExperience",
  ]);
  expect(counselors[0]).toMatchObject({
    key: "asha",
    rating: 5,
    sessions: 1290,
    yearsOfExperience: 17,
    portrait: "asha.svg",
    active: true,
    sample: true,
    position: 0,
    version: 1,
    meeting: { kind: "link", url: "https://meet.example/captain-asha" },
    room: { kind: "link", address: "https://meet.example/captain-asha" },
  });
  expect(packages.map(({ price }: { price: number }) => price)).toEqual([999, 1299, 1499]);
  expect(packages[0]).toMatchObject({
    minutes: 30,
    active: true,
    label: "One clear question",
    version: 1,
  });
  expect(defaultTimes).toEqual(["09:00", "10:00", "11:00", "14:00", "15:00", "16:00"]);
  expect(links[0]).toEqual({ label: "Pilot bootcamp", url: "https://captains.example/bootcamp" });
  expect(version).toBe(1);
});

describe("a new captain", () => {
  it("is on the page at once, with a key, a calendar and an entry in the log", async () => {
    const spoken = ["Malayalam", "English"];
    const added = await add({ specialties: ["Medicals"], languages: spoken, rating: 4.7 });
    expect([added.status, added.data]).toMatchObject([
      201,
      {
        key: "capt-zoe-muller",
        name: "Capt. Zoë Müller",
        description: "",
        portrait: null,
        yearsOfExperience: null,
        rating: 4.7,
        specialties: ["Medicals"],
        sample: false,
        languages: spoken,
        active: true,
        position: 2,
        version: 1,
      },
    ]);
    expect(await log()).toMatchObject({
      action: "counselor_add",
      target: "capt-zoe-muller",
      after: { name: "Capt. Zoë Müller", email: "zoe@captains.example" },
    });
    expect((await app.api("/")).text).toContain("Capt. Zoë Müller");
    const json = bookingBody({ counselor: "Capt. Zoë Müller", date: dayAhead(20) });
    expect((await app.api("/api/appointments", { json })).status).toBe(201);
    expect(app.db.allRaw("SELECT 1 FROM counselor_feed")).toHaveLength(3);
    await put("/counselors/capt-zoe-muller", { active: false });
  });

  it.each<[field: string, changes: object, status?: number]>([
    ["name", { name: "" }],
    ["title", { title: " " }],
    ["email", { email: "zoe" }],
    ["meeting", { meeting: undefined }],
    ["meeting", { meeting: { kind: "link", url: "http://meet.example/a" } }],
    ["meeting", { meeting: { kind: "link", url: "javascript:alert(1)" } }],
    ["rating", { rating: 5.1 }],
    ["rating", { rating: 4.75 }],
    ["sessions", { sessions: -1 }],
    ["yearsOfExperience", { yearsOfExperience: 1.5 }],
    ["specialties", { specialties: ["a\u0000b"] }],
    ["specialties", { specialties: Array(9).fill("One") }],
    ["languages", { languages: ["  "] }],
    ["languages", { languages: Array(7).fill("One") }],
    ["portrait", { portrait: "asha.svg" }],
    ["active", { active: "perhaps" }],
    ["name", { name: "capt. asha SAMPLE" }, 409],
  ])("with a wrong %s %j is refused whole", async (field, changes, status = 400) => {
    const before = await read();
    const refused = await add({ name: "Capt. New", ...changes });
    const code = status === 409 ? "in_use" : "validation_failed";
    expect([refused.status, refused.code]).toEqual([status, code]);
    expect(Object.keys(refused.errors!)).toEqual([field]);
    expect(refused.message).toBe(refused.errors![field]![0]);
    expect(await read()).toEqual(before);
  });
});

describe("a captain", () => {
  it("is changed only in what is sent; the log has it before and after", async () => {
    const before = await captain("rohan");
    const changed = await put("/counselors/rohan", {
      title: "Mentor",
      rating: null,
      specialties: [],
      version: before.version,
    });
    const { affected, ...after } = changed.data;
    expect(after).toEqual({
      ...before,
      title: "Mentor",
      rating: null,
      specialties: [],
      version: before.version + 1,
    });
    expect(affected).toEqual([]);
    expect(await log()).toMatchObject({
      action: "counselor_edit",
      target: "rohan",
      before: { title: before.title, rating: 5 },
      after: { title: "Mentor", rating: null, specialties: [] },
    });
    const again = await put("/counselors/rohan", { title: "Mentor" });
    expect(again.data.version).toBe(before.version + 1);
    // What was read can be sent back whole.
    const whole = await put("/counselors/rohan", after);
    expect({ ...after, affected: [] }).toEqual(whole.data);
    expect((await app.api("/")).text).toContain("Mentor");
  });

  it("changed meanwhile is refused to the second of two admins", async () => {
    const { version } = await captain("rohan");
    expect((await put("/counselors/rohan", { title: "First", version })).status).toBe(200);
    const second = await put("/counselors/rohan", { title: "Second", version });
    expect([second.status, second.code]).toEqual([409, "stale"]);
    expect((await captain("rohan")).title).toBe("First");
  });

  it("renamed is found by both names; nobody else gets either, and it may be taken back", async () => {
    const { id } = await book(app, { counselor: ROHAN, date: dayAhead(21) });
    expect((await put("/counselors/rohan", { name: "Capt. Ravi" })).status).toBe(200);
    expect((await admin(`/appointments/${id}`)).data.appointment.counselor).toBe("Capt. Ravi");
    const list = await admin.page(`/admin?${new URLSearchParams({ counselor: ROHAN })}`);
    expect(list.text).toMatch(/<option value="Capt. Ravi" selected=""/);
    expect((await add({ name: ROHAN })).code).toBe("in_use");
    expect((await put("/counselors/asha", { name: ROHAN.toUpperCase() })).code).toBe("in_use");
    expect((await put("/counselors/rohan", { name: ROHAN })).data.name).toBe(ROHAN);
    const inCapitals = ROHAN.toUpperCase();
    expect((await put("/counselors/rohan", { name: inCapitals })).data.name).toBe(inCapitals);
    expect((await put("/counselors/rohan", { name: ROHAN })).data.name).toBe(ROHAN);
  });

  it("whose meeting link changes says how many customers are notified", async () => {
    await bookConfirmed(app, { counselor: ROHAN, date: dayAhead(19) });
    const page = "/admin/catalogue/captains/rohan";
    const save = async (roomAddress: string) => {
      const saved = await admin.page(page, { form: { roomKind: "link", roomAddress } });
      return (await admin.after(saved, page)).text;
    };
    expect(await save("https://meet.example/new")).toContain(
      "The customer of one session to come is notified by mail how it takes place now.",
    );
    expect(await save("https://meet.example/new")).not.toContain("notified by mail how");
    // Nor does it say of one who is off the page that visitors see it.
    await put("/counselors/rohan", { active: false });
    expect(await save("https://meet.example/off")).toContain("It counts from now on.");
    await put("/counselors/rohan", { active: true });
  });

  it("taken off the page keeps the live sessions, which are named", async () => {
    const date = dayAhead(23);
    const paid = await bookConfirmed(app, { counselor: ROHAN, date, timeSlot: "10:00" });
    const off = await put("/counselors/rohan", { active: false });
    const named = off.data.affected as { id: string; status: string }[];
    expect(named.at(-1)).toEqual({
      id: paid.id,
      name: "Meera Pillai",
      date,
      timeSlot: "10:00",
      status: "confirmed",
    });
    expect(named.map(({ status }) => status)).toContain("pending_payment");
    const moved = await put(`/appointments/${paid.id}/reschedule`, { date, newTimeSlot: "11:00" });
    expect(moved.status).toBe(200);
    const last = await put("/counselors/asha", { active: false });
    expect([last.status, last.code, last.errors]).toMatchObject([
      409,
      "in_use",
      { active: [expect.any(String)] },
    ]);
    expect((await captain("asha")).active).toBe(true);
    expect((await put("/counselors/rohan", { active: true })).data.active).toBe(true);
  });

  it("has a place in the order of the page", async () => {
    const order = async () => (await read()).counselors.map((one: { key: string }) => one.key);
    const before = await order();
    expect((await put("/counselors/rohan", { position: 0 })).data.position).toBe(0);
    expect((await order()).slice(0, 2)).toEqual(["rohan", "asha"]);
    await put("/counselors/rohan", { position: 1 });
    expect(await order()).toEqual(before);
    expect((await put("/counselors/rohan", { position: 1.5 })).status).toBe(400);
  });

  it("is a sample until name, e-mail and portrait are all changed, or until somebody says so", async () => {
    const sampleAfter = async (json: object) => (await put("/counselors/asha", json)).data.sample;
    expect(await sampleAfter({ name: "Capt. Real" })).toBe(true);
    expect(await sampleAfter({ email: "real@captains.example" })).toBe(true);
    expect(await sampleAfter({ portrait: null })).toBe(false);
    expect(await sampleAfter({ name: ASHA })).toBe(false);
    expect(await sampleAfter({ sample: true })).toBe(false);
    expect((await put("/counselors/rohan", { sample: false })).data.sample).toBe(false);
  });
});

describe("a package", () => {
  it("has another price at the next request", async () => {
    const changed = await put("/packages/30", { price: 1100, version: 1 });
    expect(changed.data).toMatchObject({ minutes: 30, price: 1100, active: true, version: 2 });
    expect(await log()).toMatchObject({
      action: "package_edit",
      target: "30 minutes",
      before: { price: 999 },
      after: { price: 1100 },
    });
    expect((await app.api("/")).text).toContain("₹1,298");
    expect((await put("/packages/30", { price: 999, version: 1 })).code).toBe("stale");
  });

  it.each([
    ["price", { price: 0 }],
    ["price", { price: 99.5 }],
    ["price", { price: 40_001 }],
    ["price", { price: "free" }],
    ["price", { price: null }],
    ["label", { label: "" }],
    ["description", { description: "x".repeat(201) }],
    ["active", { active: 1 }],
  ])("with a wrong %s %j is refused", async (field, json) => {
    const refused = await put("/packages/45", json);
    expect([refused.status, Object.keys(refused.errors!)]).toEqual([400, [field]]);
  });

  it("is one of three lengths, and one stays on the page", async () => {
    for (const minutes of ["90", "0x1e", "30.0", "nobody"]) {
      expect((await put(`/packages/${minutes}`, { price: 1 })).status, minutes).toBe(404);
    }
    expect((await put("/packages/30", { active: false })).status).toBe(200);
    expect((await put("/packages/45", { active: false })).status).toBe(200);
    const last = await put("/packages/60", { active: false });
    expect([last.status, last.code]).toEqual([409, "in_use"]);
    const html = (await app.api("/")).text;
    expect(html).toContain("Route, money and plan B");
    expect(html).not.toContain("One clear question");
  });
});

describe("default times and links", () => {
  it("are not overwritten by a form that was refused for its words first", async () => {
    const { version } = await read();
    const send = (linkUrl: string, of: string) =>
      admin.page("/admin/catalogue", {
        form: { intent: "links", version: of, linkLabel: "Mine", linkUrl },
      });
    const theirs = [{ label: "Theirs", url: "https://their.example" }];
    await put("/links", { links: theirs });
    const refused = await send("http://mine.example", String(version));
    const part = refused.text.slice(refused.text.indexOf('id="links"'));
    const kept = /name="version" value="(\d+)"/.exec(part)![1]!;
    expect([refused.status, kept]).toEqual([400, String(version)]);
    const stale = await send("https://mine.example", kept);
    expect([stale.status, stale.text.includes("What you chose was not saved:")]).toEqual([
      ...[409, true],
    ]);
    expect((await read()).links).toEqual(theirs);
  });

  it("are set whole, with one version for both", async () => {
    const { version } = await read();
    const times = await put("/default-times", { timeSlots: ["18:00", "08:00", "18:00"], version });
    expect(times.data).toMatchObject({ timeSlots: ["08:00", "18:00"], version: version + 1 });
    const link = { label: "Read me", url: "https://read.example/me" };
    expect((await put("/links", { links: [link], version })).code).toBe("stale");
    const links = await put("/links", { links: [link] });
    expect(links.data).toEqual({ links: [link], version: version + 2 });
    expect(await log()).toMatchObject({ action: "links_set", after: { links: [link] } });
    const html = (await app.api("/")).text;
    expect(html).toContain("https://read.example/me");
    expect(html).not.toContain("Pilot bootcamp");
    expect((await put("/links", { links: [] })).status).toBe(200);
    expect((await app.api("/")).text).not.toContain("Not ready for a call?");
  });

  it("has the default times set by its form too", async () => {
    const form = Object.entries({ intent: "times", version: (await read()).version });
    const times = ["10:00", "19:00"].map((time) => ["timeSlots", time]);
    expect((await admin.page("/admin/catalogue", { form: [...form, ...times] })).status).toBe(303);
    expect((await read()).defaultTimes).toEqual(["10:00", "19:00"]);
  });

  it.each([
    ["default-times", "timeSlots", { timeSlots: [] }],
    ["default-times", "timeSlots", { timeSlots: ["09:15"] }],
    ["default-times", "timeSlots", {}],
    ["links", "links", { links: [{ label: "A", url: "http://a.example" }] }],
    ["links", "links", { links: [{ label: "", url: "https://a.example" }] }],
    ["links", "links", { links: "none" }],
    ["links", "links", { links: Array(7).fill({ label: "A", url: "https://a.example" }) }],
  ])("%s: wrong %s %j are refused", async (path, field, json) => {
    const refused = await put(`/${path}`, json);
    expect([refused.status, Object.keys(refused.errors!)]).toEqual([400, [field]]);
  });
});
