/** Captains' portraits by call and by form, and what hostile pictures get. */
import sharp from "sharp";
import { expect, it } from "vitest";
import { sessionCookie } from "#tests/support/admin.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";

const MIB = 2 ** 20;

const app = sharedApp();
const admin = sharedAdmin(app);

type Picture = Uint8Array<ArrayBuffer>;

const put = (body: Picture, type = "image/jpeg", key = "asha") =>
  admin(`/counselors/${key}/portrait`, { method: "PUT", body, headers: { "Content-Type": type } });

/** As a browser without scripts sends it. */
const submit = (file: Picture | string, key = "asha", search = "") => {
  const form = new FormData();
  form.set("portrait", typeof file === "string" ? file : new File([file], "me.jpg"));
  return fetch(`${app.origin}/admin/catalogue/captains/${key}/portrait${search}`, {
    method: "POST",
    body: form,
    redirect: "manual",
    headers: { Cookie: sessionCookie(admin.token) },
  });
};

const portrait = async () => (await admin("/catalogue")).data.counselors[0].portrait as string;
const stored = () =>
  app.db.allRaw<{ id: string; width: number }>("SELECT id, width FROM portrait ORDER BY width");
const page = async () => (await app.api("/")).text;

/** Red above, blue below, and the camera's notes with a place. */
async function photo(width: number, height: number, red = 200): Promise<Picture> {
  const blue = {
    create: { width, height: height >> 1, channels: 3, background: "#0000c8" },
  } as const;
  const picture = sharp({
    create: { width, height, channels: 3, background: { r: red, g: 0, b: 0 } },
  })
    .composite([{ input: await sharp(blue).png().toBuffer(), gravity: "south" }])
    .withExif({ IFD0: { Copyright: "hush-hush" }, IFD3: { GPSLatitudeRef: "N" } });
  return new Uint8Array(await picture.jpeg().toBuffer());
}

async function readVersion(id: string, width: number) {
  const response = await fetch(`${app.origin}/portraits/${id}/${width}.webp`);
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

it("is cut to a square in the widths of the page, without metadata, and served for ever", async () => {
  const answer = await put(await photo(400, 600));
  const id: string = answer.data.portrait;
  expect([answer.status, id]).toEqual([200, expect.stringMatching(/^[0-9a-f]{32}$/)]);
  expect(stored()).toEqual([96, 192, 288].map((width) => ({ id, width })));
  for (const width of [96, 192, 288]) {
    const { response, bytes } = await readVersion(id, width);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/webp",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
    });
    const facts = await sharp(bytes).metadata();
    expect(facts).toMatchObject({ format: "webp", width, height: width });
    expect([facts.exif, facts.icc, facts.xmp]).toEqual([undefined, undefined, undefined]);
    expect(bytes.toString("latin1")).not.toContain("hush-hush");
  }
  expect(await page()).toContain(`/portraits/${id}/192.webp`);
  for (const path of [`${id}/97`, `${"0".repeat(32)}/96`, `${id}/__proto__`]) {
    const missing = await fetch(`${app.origin}/portraits/${path}.webp`);
    expect([missing.status, missing.headers.get("cache-control")]).toEqual([404, "no-cache"]);
  }
});

it("is changed by its form without scripts, and by none made before another's change", async () => {
  const picture = await photo(300, 300, 50);
  const { version } = (await admin("/catalogue")).data.counselors[0];
  const done = await submit(picture, "asha", `?version=${version}`);
  const back = [303, "/admin/catalogue/captains/asha"];
  expect([done.status, done.headers.get("location")]).toEqual(back);
  const now = await portrait();
  const { text } = await admin.page("/admin/catalogue/captains/asha/portrait");
  expect(text).toContain(`/portraits/${now}/`);
  expect((await admin.page("/admin/catalogue/captains/nobody/portrait")).status).toBe(404);
  const late = await submit(picture, "asha", `?version=${version}`);
  expect(late.status).toBe(409);
  const html = await late.text();
  expect(html).toContain("changed in the meantime");
  expect(html).toContain(`portrait?version=${version + 1}"`);
  expect(html).toContain(`/portraits/${now}/`);
  expect(await portrait()).toBe(now);
});

it("takes the place of the one before, whose rows go; none takes it away", async () => {
  const first = await portrait();
  const again = await put(await photo(300, 300, 50));
  expect([again.data.portrait, stored()]).toMatchObject([first, { length: 3 }]);
  const png = await sharp(await photo(500, 300))
    .png()
    .toBuffer();
  expect((await put(new Uint8Array(png), "image/png")).data.portrait).not.toBe(first);
  expect(stored()).toMatchObject({ length: 3 });
  expect((await readVersion(first, 96)).response.status).toBe(404);
  await admin("/counselors/asha", { method: "PUT", json: { portrait: null } });
  expect(stored()).toEqual([]);
});

it("stands upright as the camera held it, and of a moving picture is the first frame", async () => {
  const turned = sharp(await photo(300, 300)).withMetadata({ orientation: 3 });
  await put(new Uint8Array(await turned.jpeg().toBuffer()));
  const top = async () => {
    const { bytes } = await readVersion(await portrait(), 96);
    const { data } = await sharp(bytes)
      .extract({ left: 48, top: 8, width: 1, height: 1 })
      .raw()
      .toBuffer({ resolveWithObject: true });
    return (data[0] ?? 0) > (data[2] ?? 0) ? "red" : "blue";
  };
  expect(await top()).toBe("blue");
  const frame = (background: string) =>
    sharp({ create: { width: 64, height: 64, channels: 3, background } })
      .png()
      .toBuffer();
  const frames = await Promise.all([frame("#f00"), frame("#00f")]);
  const moving = await sharp(frames, { join: { animated: true } })
    .webp()
    .toBuffer();
  expect((await put(new Uint8Array(moving), "image/webp")).status).toBe(200);
  expect(await top()).toBe("red");
});

it("refuses what is no picture, too large, too many pixels, of nobody, and leaves the old one", async () => {
  const before = [await portrait(), stored()];
  const text = (words: string): Picture => new Uint8Array(Buffer.from(words));
  const good = await photo(300, 300, 50);
  const tall = sharp({ create: { width: 5000, height: 4801, channels: 3, background: "#fff" } });
  const svg = text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  const gif = new Uint8Array(await sharp(good).gif().toBuffer());
  const tooMany = new Uint8Array(await tall.jpeg().toBuffer());
  for (const bytes of [svg, gif, good.slice(0, good.length >> 2), new Uint8Array(), tooMany]) {
    const refused = await put(bytes, "image/png");
    expect([refused.status, refused.code, refused.errors?.portrait]).toEqual([
      ...[400, "validation_failed", [expect.stringContaining("picture")]],
    ]);
  }
  for (const type of ["image/svg+xml", "application/json", ""]) {
    expect((await put(good, type)).status, type).toBe(415);
  }
  const large = new Uint8Array(4 * MIB + 1);
  large.set(good);
  expect(await put(large)).toMatchObject({
    status: 413,
    message: expect.stringContaining("at most 4 MB"),
  });
  const form = await submit(large);
  expect([form.status, await form.text()]).toEqual([413, expect.stringContaining("at most 4 MB")]);
  expect((await put(good, "image/jpeg", "nobody")).status).toBe(404);
  expect((await submit(good, "nobody")).status).toBe(404);
  expect((await submit("text")).status).toBe(400);
  expect([await portrait(), stored()]).toEqual(before);
});

it("takes 4 MiB, and no other path does", async () => {
  const whole = new Uint8Array(4 * MIB);
  whole.set(await photo(300, 300, 60));
  expect((await submit(whole)).status).toBe(303);
  for (const path of ["/counselors/asha", "/counselors/asha/portrait/x", "/counselors"]) {
    const headers = { "Content-Type": "image/jpeg" };
    const refused = await admin(path, { method: "PUT", body: whole, headers });
    expect(refused.status, path).toBe(413);
  }
});
