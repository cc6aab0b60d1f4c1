import { describe, expect, it } from "vitest";
import { success } from "#app/model/outcome.ts";
import { type FormKind, formKind, isFormPost, readForm } from "./form.ts";

const multipart = (...parts: string[]) =>
  Buffer.from(`${parts.map((part) => `--x\r\n${part}\r\n`).join("")}--x--\r\n`);

async function fieldsOf(type: string | undefined, body: Buffer | string, kind: FormKind = "page") {
  const read = await readForm(type, Buffer.from(body), kind);
  return read.ok ? [...new URLSearchParams(read.value.toString())] : read.code;
}

it("a form of one file is read as its bytes, and no other form is", async () => {
  const read = (body: Buffer | string, type = "multipart/form-data; boundary=x") =>
    readForm(type, Buffer.from(body), "file");
  const file = (name: string, bytes: string) =>
    `Content-Disposition: form-data; name="portrait"; filename="${name}"\r\n\r\n${bytes}`;
  expect(await read(multipart(file("a.png", "bytes")))).toEqual(success(Buffer.from("bytes")));
  expect(await read(multipart(file("", "")))).toEqual(success(Buffer.alloc(0)));
  const text = 'Content-Disposition: form-data; name="portrait"\r\n\r\ntext';
  for (const body of [
    ...[multipart(text), multipart(file("a", "1"), file("b", "2")), multipart()],
    ...[multipart(file("a", "1"), text), "--x\r\nbroken"],
  ]) {
    expect(await read(body)).toMatchObject({ code: "validation_failed" });
  }
  expect(await read("portrait=x", "application/x-www-form-urlencoded")).toEqual(
    success(Buffer.alloc(0)),
  );
  expect(await read("bytes", "image/png")).toMatchObject({ code: "unsupported_media_type" });
});

it.each([
  [
    "of tiny files",
    multipart(
      ...Array(60_000).fill('Content-Disposition: form-data; name="a"; filename="x"\r\n\r\n'),
    ),
  ],
  ["of ends", Buffer.from("--x--\r\n".repeat(600_000))],
  ["of one part's headers", multipart("X: y\r\n".repeat(600_000))],
  [
    "of one part's name",
    multipart(`Content-Disposition: form-data; name="${"%22".repeat(1_300_000)}"\r\n\r\n1`),
  ],
])("four megabytes %s are refused before they are parsed", async (_, body) => {
  for (const kind of ["file", "page", "provider"] as const) {
    const begun = performance.now();
    const read = await readForm("multipart/form-data; boundary=x", body, kind);
    expect(read).toMatchObject({ code: "validation_failed" });
    expect(performance.now() - begun).toBeLessThan(250);
  }
});

describe("a posted form", () => {
  it("is read whichever of its two ways it is sent in", async () => {
    const fields = [
      ["timeSlots", "मीरा & <b>"],
      ["timeSlots", "again"],
    ];
    const urlencoded = new URLSearchParams(fields).toString();
    expect(await fieldsOf("application/x-www-form-urlencoded", urlencoded)).toEqual(fields);
    expect(
      await fieldsOf(
        'multipart/form-data; boundary="x"',
        multipart(
          'Content-Disposition: form-data; name="timeSlots"\r\n\r\nमीरा & <b>',
          'Content-Disposition: form-data; name="file"; filename="a.svg"\r\n\r\n<svg/>',
          'Content-Disposition: form-data; name="timeSlots"\r\n\r\nagain',
        ),
      ),
    ).toEqual(fields);
  });

  it("may be empty, with any type or none", async () => {
    for (const type of [undefined, "application/json", "multipart/form-data"]) {
      expect(await fieldsOf(type, "")).toEqual([]);
    }
  });

  it("is refused when it is no form", async () => {
    for (const type of [undefined, "application/json", "text/plain", "x/y; boundary=x"]) {
      expect(await fieldsOf(type, "name=x"), String(type)).toBe("unsupported_media_type");
    }
    for (const type of ["multipart/form-data", "multipart/form-data; boundary=y"]) {
      expect(await fieldsOf(type, multipart("garbage")), type).toBe("validation_failed");
    }
  });

  it("is what pages are sent; calls and webhooks read for themselves", () => {
    expect(isFormPost("POST", "/")).toBe(true);
    expect(isFormPost("DELETE", "/admin/x")).toBe(true);
    expect(isFormPost("POST", "/payments/callback")).toBe(true);
    expect(isFormPost("GET", "/")).toBe(false);
    expect(isFormPost("POST", "/api/appointments")).toBe(false);
    expect(isFormPost("POST", "/webhooks/razorpay")).toBe(false);
  });
});

describe("the names of a form", () => {
  const urlencoded = "application/x-www-form-urlencoded";
  const part = (name: string, file = "") =>
    `Content-Disposition: form-data; name="${name}"${file}\r\n\r\n1`;
  const both = async (names: string[], kind: FormKind = "page") => {
    const text = new URLSearchParams(names.map((name) => [name, "1"])).toString();
    const answers = [
      await fieldsOf(urlencoded, text, kind),
      await fieldsOf(
        "Multipart/Form-Data; boundary=x",
        multipart(...names.map((n) => part(n))),
        kind,
      ),
    ];
    expect(answers[0]).toEqual(answers[1]);
    return answers[0];
  };

  it("are letters alone, of nothing that every object has, and come once but for lists", async () => {
    expect(await both(["name", "timeSlots", "copyTo", "timeSlots", "mon", "mon"])).toHaveLength(6);
    for (const foreign of [
      ...["name[0]", "name[99999999]", "name.x", "name[]", "name ", "", "na\u0000me", "name2"],
      ...["__proto__", "__proto__.x", "constructor", "toString", "hasOwnProperty", "ｅmail"],
      ...["name[4294967294]", "email[1e9]", "x[0][0][0]", "date[-1]", "__proto__[x]", "email.x"],
      ...["constructor.prototype.x", "__intent__", "__state__", "$ACTION_ID_x"],
      ...["a.".repeat(5_000), "[".repeat(999)],
    ]) {
      expect(await both([foreign]), foreign.slice(0, 20)).toBe("validation_failed");
      expect(await both(["name", foreign]), foreign.slice(0, 20)).toBe("validation_failed");
    }
    expect(await both(["name", "date", "name"])).toBe("validation_failed");
    expect(await both(Array(1_010).fill("cause"))).toHaveLength(1_010);
    expect(await both(Array(1_011).fill("cause"))).toBe("validation_failed");
  });

  it("of files are held against the rule too", async () => {
    const file = (name: string) => multipart(part(name, '; filename="a.svg"'));
    expect(await fieldsOf("multipart/form-data; boundary=x", file("file"))).toEqual([]);
    expect(await fieldsOf("multipart/form-data; boundary=x", file("a[0]"))).toBe(
      "validation_failed",
    );
  });

  it("of another's form are taken as they are, up to a number", async () => {
    const names = ["error[code]", "error[metadata][order_id]", "notes[99999999]"];
    expect(await both(names, "provider")).toEqual(names.map((name) => [name, "1"]));
    expect(await both(Array(101).fill("a"), "provider")).toBe("validation_failed");
  });

  it("are another's, or a file's, by the path", () => {
    expect(formKind("/payments/callback")).toBe("provider");
    expect(formKind("/admin/catalogue/captains/asha/portrait")).toBe("file");
    expect(formKind("/admin/catalogue/captains/asha")).toBe("page");
    expect(formKind("/")).toBe("page");
  });
});
