/** Whom a session is for, as calls nest it and as forms send it: under plain names of their own. */
import { z } from "zod";
import type { Student } from "#app/model/appointment.ts";
import { lineSchemaOf, nameSchemaOf } from "#app/model/text.ts";

const TICKED = "Please send true or false";
const RELATION = "Please say how you are related to the student, for example mother";

const relationSchema = lineSchemaOf("The relation", 50, RELATION);

/** What a guardian sends on their own page. */
export const guardianSchema = z.object({
  relation: relationSchema.min(1, RELATION),
  agree: z.literal("on", { error: "Please tick the box if you agree" }),
  /** The hash of the words that the page showed. */
  shown: z.string().optional(),
});

export const studentNameSchema = nameSchemaOf("Student’s name");

export const studentSchema = z
  .object(
    {
      name: studentNameSchema,
      under18: z.boolean({ error: TICKED }).optional(),
      relation: relationSchema.optional(),
    },
    { error: "Please send the student as an object with a name" },
  )
  .superRefine(
    ({ under18, relation }, context) => {
      if (under18 === true && !relation)
        context.addIssue({ code: "custom", path: ["relation"], message: RELATION });
    },
    { when: ({ value }) => value instanceof Object },
  );

type StudentInput = z.output<typeof studentSchema>;

/** As stored; null where who booked comes. */
export function studentOf({ student }: { student?: StudentInput | undefined }): Student | null {
  if (!student) return null;
  const { name, under18 = false, relation } = student;
  return { name, under18, relation: relation || null };
}

export type StudentField = "forWhom" | "studentName" | "underEighteen" | "relation";

/** The form's name for a field of the call. */
function studentFormField(name: unknown): StudentField {
  if (name === "relation") return "relation";
  return name === "under18" ? "underEighteen" : "studentName";
}

/** What a form sends: all of them whatever is chosen, and an unticked box is absent. */
export function studentTyped(typed: Partial<Record<string, unknown>>) {
  if (typed.forWhom !== "other") return undefined;
  const { studentName, underEighteen, relation } = typed;
  return {
    name: studentName,
    under18: underEighteen !== undefined,
    relation: relation === "" ? undefined : relation,
  };
}

/** The fields of the page's form; they are checked only where somebody else is chosen. */
export const studentFormFields = {
  forWhom: z.enum(["me", "other"], { error: "Please choose who the session is for" }).optional(),
  studentName: z.unknown().optional(),
  underEighteen: z.unknown().optional(),
  relation: z.unknown().optional(),
};

/** Null where the form chooses nobody else. */
function readTyped(typed: Partial<Record<string, unknown>>) {
  const asked = studentTyped(typed);
  return asked ? studentSchema.safeParse(asked) : null;
}

/** The faults of the student under the names of the form. */
export function refuseStudent(
  typed: Partial<Record<string, unknown>>,
  context: z.RefinementCtx,
): void {
  for (const { path, message } of readTyped(typed)?.error?.issues ?? []) {
    context.addIssue({ code: "custom", message, path: [studentFormField(path[0])] });
  }
}

/** The call's `student` in place of the form's fields. */
export function withStudent<T extends Partial<Record<StudentField, unknown>>>(typed: T) {
  const { forWhom: _, studentName: __, underEighteen: ___, relation: ____, ...rest } = typed;
  const student = readTyped(typed)?.data;
  return { ...rest, ...(student && { student }) };
}
