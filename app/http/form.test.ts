import { describe, expect, it } from "vitest";
import { isFormPost, readForm } from "./form.ts";

const multipart = (...parts: string[]) =>
  Buffer.from(`${parts.map((part) => `--x\r\n${part}\r\n`).join("")}--x--\r\n`);

async function fieldsOf(type: string | undefined, body: Buffer | string) {
  const read = await readForm(type, Buffer.from(body));
  return read.ok ? [...new URLSearchParams(read.value.toString())] : read.code;
}

describe("a posted form", () => {
  it("is read whichever of its two ways it is sent in", async () => {
    const fields = [
      ["name", "मीरा & <b>"],
      ["name", "again"],
    ];
    const urlencoded = new URLSearchParams(fields).toString();
    expect(await fieldsOf("application/x-www-form-urlencoded", urlencoded)).toEqual(fields);
    expect(
      await fieldsOf(
        'multipart/form-data; boundary="x"',
        multipart(
          'Content-Disposition: form-data; name="name"\r\n\r\nमीरा & <b>',
          'Content-Disposition: form-data; name="file"; filename="a.svg"\r\n\r\n<svg/>',
          'Content-Disposition: form-data; name="name"\r\n\r\nagain',
        ),
      ),
    ).toEqual(fields);
  });

  it("may be empty, with any type or none", async () => {
    for (const type of [undefined, "application/json", "multipart/form-data"]) {
      expect(await fieldsOf(type, "")).toEqual([]);
    }
  });

  it("is refused when it is none", async () => {
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
