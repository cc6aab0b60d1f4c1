import { expect, it } from "vitest";
import type { Env } from "#app/core/env.server.ts";
import { businessView } from "./public-page.tsx";

it("shows the tax number, but not where documents are samples", () => {
  const business = { gstin: "29ABCDE1234F1ZW" } as Env["business"];
  const brand = {} as Env["brand"];
  expect(businessView({ brand, business, sampleDocuments: false }).gstin).toBe("29ABCDE1234F1ZW");
  expect(businessView({ brand, business, sampleDocuments: true }).gstin).toBeNull();
});
