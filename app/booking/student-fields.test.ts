import { describe, expect, it } from "vitest";
import { check } from "#app/model/fields.ts";
import { bookingInput } from "#tests/support/bookings.ts";
import { bookingFormSchema, bookingPageSchemaOf } from "./booking-fields.ts";
import { staffBookingFormSchema } from "./change-fields.ts";
import { studentOf } from "./student-fields.ts";

const asked = (changes: object) => ({ ...bookingInput(), package: "30", ...changes });
const MINOR = { name: " Kabir  Pillai", under18: true, relation: "mother" };

describe("a call's student", () => {
  it("has a name, and for somebody under 18 a relation", () => {
    const read = check(bookingFormSchema, asked({ student: MINOR }));
    expect(read).toMatchObject({ ok: true, value: { student: { relation: "mother" } } });
    for (const student of [
      { name: "K" },
      { name: "Kabir", under18: true },
      { name: "Kabir", under18: true, relation: "  " },
      { name: "Kabir", relation: "x".repeat(51) },
      { name: "Kabir", under18: "yes" },
      "Kabir",
    ]) {
      const refused = check(bookingFormSchema, asked({ student }));
      expect(refused, JSON.stringify(student)).toMatchObject({
        ok: false,
        errors: { student: [expect.any(String)] },
      });
    }
  });

  it("is stored with a relation or null", () => {
    expect(studentOf({})).toBeNull();
    const adult = { name: "Kabir", under18: false, relation: null };
    expect(studentOf({ student: { name: "Kabir", relation: "" } })).toEqual(adult);
  });
});

describe("a form's student", () => {
  const OTHER = {
    forWhom: "other",
    studentName: "Kabir Pillai",
    underEighteen: "on",
    relation: "aunt",
  };
  const student = { name: "Kabir Pillai", under18: true, relation: "aunt" };

  it("is one only where somebody else is chosen, and leaves no field of the form", () => {
    const read = bookingPageSchemaOf("optional").parse(asked(OTHER));
    expect(read).toMatchObject({ student });
    expect(Object.keys(read)).not.toContain("studentName");
    expect(
      bookingPageSchemaOf("optional").parse(asked({ ...OTHER, forWhom: "me" })).student,
    ).toBeUndefined();
    expect(bookingPageSchemaOf("optional").parse(asked({})).student).toBeUndefined();
  });

  it("has its faults at the form's own fields, beside all others", () => {
    const typed = asked({ ...OTHER, studentName: "", relation: "", email: "nobody" });
    const { error } = bookingPageSchemaOf("optional").safeParse(typed);
    const fields = error!.issues.map(({ path }) => path.join("."));
    expect(fields).toEqual(expect.arrayContaining(["email", "studentName", "relation"]));
    // The message names the student, not the customer.
    const ofStudent = error!.issues.find(({ path }) => path[0] === "studentName");
    expect(ofStudent?.message).toBe("Student’s name must be at least 2 characters");
  });

  it("is the same for staff", () => {
    const form = { ...asked(OTHER), payBy: "link", payBefore: "" };
    expect(staffBookingFormSchema.parse(form)).toMatchObject({ student });
    const { error } = staffBookingFormSchema.safeParse({ ...form, relation: "" });
    expect(error!.issues.map(({ path }) => path.join("."))).toEqual(["relation"]);
  });
});
