import type { Env } from "#app/core/env.server.ts";
import type { Question } from "./questions.tsx";

/** Questions that people ask, with answers that promise nothing we cannot keep. */
export function questionsOf(env: Pick<Env, "selfServiceCutoffHours" | "whatsapp">): Question[] {
  return [
    {
      question: "Am I eligible with commerce, biology or low maths marks?",
      answer:
        "It depends on the licence you want and the subjects you passed, and the rules are being revised. The captain goes through your marks with you and says which open-school exams could fill a gap. Before you pay a school, check the current rule at dgca.gov.in.",
    },
    {
      question: "Will glasses or an old surgery fail me in the medical?",
      answer:
        "Glasses alone do not rule you out, but only a DGCA-empanelled examiner decides. The captain explains the Class 2 and Class 1 medicals and why to take them before you pay a school. Please do not send us medical papers.",
    },
    {
      question: "What comes first: medical, exams or flying school?",
      answer:
        "For most people the medical comes first, because without it the rest makes no sense. The DGCA exams come next, and you choose the school meanwhile. Your own order depends on your age, class and budget, and the captain works it out with you.",
    },
    {
      question: "Cadet programme or flying school? India or abroad?",
      answer:
        "Each has its own cost, wait and risks. Cadet programmes come with bonds and conditional offers. Flying schools depend on weather and aircraft, and a licence from abroad has to be converted. The captain compares them for you.",
    },
    {
      question: "We are the parents. May we join?",
      answer:
        "Yes, you are welcome. If the student is under 18, a parent or guardian books and gives their own details.",
    },
    {
      question: "What if I have to move or cancel?",
      answer: `Until ${env.selfServiceCutoffHours} hours before the start you can move the session, or cancel it and get the full amount back, GST included. If we cancel, you always get the full amount back.`,
    },
    {
      question: "Do I get a GST invoice?",
      answer:
        "Yes, as a PDF in your confirmation email and on your booking page. Give your state in the form, so that the invoice shows the right kind of GST.",
    },
  ];
}
