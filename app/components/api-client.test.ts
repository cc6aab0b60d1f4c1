import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { BookingRequestError, bookingRequest, forget, query } from "./api-client.ts";

const fetchMock = vi.fn<typeof fetch>();

beforeEach(() => vi.stubGlobal("fetch", fetchMock));
afterEach(() => {
  vi.unstubAllGlobals();
  fetchMock.mockReset();
  forget("");
});

function answer(status: number, body: string | object = "", statusText = "") {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  fetchMock.mockResolvedValueOnce(new Response(text, { status, statusText }));
}

describe("query", () => {
  it("joins the segments with a slash and never asks twice", async () => {
    answer(200, { data: 1 });
    await expect(query(["/api", "slots"])).resolves.toEqual({ data: 1 });
    await expect(query(["/api", "slots"])).resolves.toEqual({ data: 1 });
    expect(fetchMock).toHaveBeenCalledOnce();
    expect(fetchMock).toHaveBeenCalledWith("/api/slots", { credentials: "include" });
  });

  it("asks again after forget, and only what was forgotten", async () => {
    answer(200, { data: 1 });
    answer(200, { data: 2 });
    await query(["/api/slots?date=a"]);
    await query(["/api/availability"]);
    forget("/api/slots");
    answer(200, { data: 3 });
    await expect(query(["/api/slots?date=a"])).resolves.toEqual({ data: 3 });
    await expect(query(["/api/availability"])).resolves.toEqual({ data: 2 });
  });

  it("throws on 401 by default, or answers null", async () => {
    answer(401, "who are you");
    await expect(query(["/api/me"])).rejects.toThrow("401: who are you");
    answer(401, "who are you");
    await expect(query(["/api/me"], { on401: "null" })).resolves.toBeNull();
  });

  it("does not retry, and does not keep a failure", async () => {
    answer(500, "x");
    await expect(query(["/api/slots"])).rejects.toThrow("500: x");
    expect(fetchMock).toHaveBeenCalledOnce();
    answer(200, { data: 1 });
    await expect(query(["/api/slots"])).resolves.toEqual({ data: 1 });
  });
});

describe("bookingRequest", () => {
  it("gives up an answer that does not come", async () => {
    const end = new AbortController();
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(end.signal);
    fetchMock.mockImplementationOnce(
      (_, init) =>
        new Promise((_, reject) => {
          init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
        }),
    );
    const answered = bookingRequest("POST", "/api/x", {});
    end.abort(new DOMException("over", "TimeoutError"));
    await expect(answered).rejects.toThrow("over");
    expect(timeout).toHaveBeenCalledWith(30_000);
    timeout.mockRestore();
  });

  it("answers the data, and sends JSON, credentials and the headers it is given", async () => {
    answer(201, { status: "success", data: { id: "a" } });
    const body = { name: "A" };
    const made = await bookingRequest("POST", "/api/x", body, { "Idempotency-Key": "k" });
    expect(made).toEqual({ id: "a" });
    expect(fetchMock).toHaveBeenCalledWith("/api/x", {
      method: "POST",
      credentials: "include",
      headers: { "Idempotency-Key": "k", "Content-Type": "application/json" },
      body: '{"name":"A"}',
      signal: expect.any(AbortSignal),
    });
  });

  it("sends no content type without a body", async () => {
    answer(200, { data: 1 });
    await bookingRequest("GET", "/api/x");
    expect(fetchMock.mock.calls[0]?.[1]).toMatchObject({ method: "GET", headers: {} });
    expect(fetchMock.mock.calls[0]?.[1]).not.toHaveProperty("body");
  });

  it("throws the server's message with code and fields", async () => {
    answer(409, { status: "error", code: "slot_taken", message: "Taken.", errors: { a: ["b"] } });
    const error = await bookingRequest("POST", "/x").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(BookingRequestError);
    expect(error).toMatchObject({
      message: "Taken.",
      code: "slot_taken",
      status: 409,
      errors: { a: ["b"] },
    });
  });

  it("falls back to the generic texts", async () => {
    answer(502, "<html>");
    await expect(bookingRequest("POST", "/x")).rejects.toThrow("Request failed");
    answer(418, { status: "error" });
    await expect(bookingRequest("POST", "/x")).rejects.toThrow("HTTP error! status: 418");
    answer(500, "null");
    await expect(bookingRequest("POST", "/x")).rejects.toThrow("HTTP error! status: 500");
  });
});
