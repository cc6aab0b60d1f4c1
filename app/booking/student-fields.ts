/** The student a session is for: nested in API calls, flat in forms. */
import { z } from "zod";
import type { Student } from "#app/model/appointment.ts";
import { lineSchemaOf, nameSchemaOf } from "#app/model/text.ts";

const TICKED = "Please send true or false";
const NO_OBJECT = "Please send the student as an object with a name";
const RELATION = "Please say how you are related to the student, for example mother";

const relationSchema = lineSchemaOf("The relation", 50, RELATION);

/** The form of the guardian's page. */
export const guardianSchema = z.object({
  relation: relationSchema.min(1, RELATION),
  agree: z.literal("on", { error: "Please tick the box if you agree" }),
  /** The hash of the text that the page showed. */
  shown: z.string().optional(),
});

export const studentNameSchema = nameSchemaOf("Student’s name");
const under18Schema = z.boolean({ error: TICKED }).optional();

/** What staff may correct; an age left out stays as it is. */
export const correctedStudentSchema = z.object(
  { name: studentNameSchema, under18: under18Schema },
  { error: NO_OBJECT },
);

export const studentSchema = z
  .object(
    {
      name: studentNameSchema,
      under18: under18Schema,
      relation: relationSchema.optional(),
    },
    { error: NO_OBJECT },
  )
  .superRefine(
    ({ under18, relation }, context) => {
      if (under18 === true && !relation)
        context.addIssue({ code: "custom", path: ["relation"], message: RELATION });
    },
    { when: ({ value }) => value instanceof Object },
  );

type StudentInput = z.output<typeof studentSchema>;

/** The student as stored; null if the session is for the customer. */
export function studentOf({ student }: { student?: StudentInput | undefined }): Student | null {
  if (!student) return null;
  const { name, under18 = false, relation } = student;
  return { name, under18, relation: relation || null };
}

type StudentField = "forWhom" | "studentName" | "underEighteen" | "relation";

function studentFormField(name: unknown): StudentField {
  if (name === "relation") return "relation";
  return name === "under18" ? "underEighteen" : "studentName";
}

/** A form's student as the API nests it, if any; an unticked checkbox is absent. */
export function studentTyped(typed: Partial<Record<string, unknown>>) {
  if (typed.forWhom !== "other") return undefined;
  const { studentName, underEighteen, relation } = typed;
  return {
    name: studentName,
    under18: underEighteen !== undefined,
    relation: relation === "" ? undefined : relation,
  };
}

/** The student fields of the page's form, checked only if somebody else is chosen. */
export const studentFormFields = {
  forWhom: z.enum(["me", "other"], { error: "Please choose who the session is for" }).optional(),
  studentName: z.unknown().optional(),
  underEighteen: z.unknown().optional(),
  relation: z.unknown().optional(),
};

/** Null unless the form chooses somebody else. */
function readTyped(typed: Partial<Record<string, unknown>>) {
  const asked = studentTyped(typed);
  return asked ? studentSchema.safeParse(asked) : null;
}

/** Adds the student's faults under the form's field names. */
export function refuseStudent(
  typed: Partial<Record<string, unknown>>,
  context: z.RefinementCtx,
): void {
  for (const { path, message } of readTyped(typed)?.error?.issues ?? []) {
    context.addIssue({ code: "custom", message, path: [studentFormField(path[0])] });
  }
}

/** Replaces the form's student fields with the API's `student`. */
export function withStudent<T extends Partial<Record<StudentField, unknown>>>(typed: T) {
  const { forWhom: _, studentName: __, underEighteen: ___, relation: ____, ...rest } = typed;
  const student = readTyped(typed)?.data;
  return { ...rest, ...(student && { student }) };
}
