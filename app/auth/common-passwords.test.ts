import { describe, expect, it } from "vitest";
import { isCommonPassword } from "./common-passwords.ts";

describe("a password that anybody would try", () => {
  it("is refused, also with the usual ending, in capitals or with signs for letters", () => {
    for (const password of [
      ...["123456", "password", "Password1", "P@ssw0rd", "qwerty123", "letmein!", "india2026"],
      ...["aaaaaaaa", "abcdefgh", "987654321", "iloveyou"],
    ]) {
      expect(isCommonPassword(password), password).toBe(true);
    }
  });

  it("is refused when it is the product or its trade", () => {
    for (const password of [
      "captain1",
      "Aviation2026",
      "pilot123",
      "captainsbriefing",
      "DGCA@2026",
    ]) {
      expect(isCommonPassword(password), password).toBe(true);
    }
  });

  it("is not one of several words of one's own", () => {
    for (const password of ["quiet-runway-0917", "captain eats mangoes", "blue pilot lamp 7"]) {
      expect(isCommonPassword(password), password).toBe(false);
    }
  });
});
