import type { Env } from "#app/core/env.server.ts";
import type { Question } from "./questions.tsx";

/** Questions that people ask, with answers that promise nothing we cannot keep. */
export function questionsOf(env: Pick<Env, "selfServiceCutoffHours" | "whatsapp">): Question[] {
  return [
    {
      question: "Am I eligible with commerce, biology or low maths marks?",
      answer:
        "It depends on which licence you want and which papers you passed, and the rules are being revised. The captain goes through your marks with you and shows which open-school papers could close a gap. Check the rule in force at dgca.gov.in before you pay a school.",
    },
    {
      question: "Will glasses or an old surgery fail me in the medical?",
      answer:
        "Only a DGCA-empanelled examiner decides. Glasses as such do not rule you out. The captain explains the order of the Class 2 and Class 1 medicals and why to take them before a big payment. Please do not send us medical papers.",
    },
    {
      question: "What comes first: medical, exams or flying school?",
      answer:
        "For most people the medical first, because it decides whether the rest makes sense, then the DGCA papers, with the school chosen meanwhile. Your own order depends on age, class and budget; that is what the session is for.",
    },
    {
      question: "Cadet programme or flying school? India or abroad?",
      answer:
        "Each has its price, its wait and its risk: bonds and conditional offers on one side, weather, aircraft and licence conversion on the other. The captain puts them side by side for your case.",
    },
    {
      question: "We are the parents. May we join?",
      answer:
        "Yes. If the student is under 18, a parent or guardian books and gives their own details. Many questions, such as which papers to ask a school for before paying, are parents' questions.",
    },
    {
      question: "What if I have to move or cancel?",
      answer: `Until ${env.selfServiceCutoffHours} hours before the start you can move the session, or cancel it and get the full amount back, GST included. If we cancel, you get the full amount back whenever it is.`,
    },
    {
      question: "Do I get a GST invoice?",
      answer:
        "Yes, as a PDF with your confirmation email, and on your booking page. Give your state in the form if it is to show the right kind of GST.",
    },
  ];
}
