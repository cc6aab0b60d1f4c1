/**
 * What a new database starts with: the brand and the questions of the page, which the owner edits on
 * `/admin/settings`, and the catalogue, on `/admin/catalogue`. Prices are in rupees.
 */
import { untilWords } from "./model/appointment.ts";
import type { Counselor, SessionPackage } from "./model/catalogue.ts";

/** `rating` and `sessions` are what the cards show; a portrait is a file under `/portraits/`. */
type StartCounselor = Omit<Counselor, "formerNames" | "room" | "active" | "position" | "version">;
type StartPackage = Omit<SessionPackage, "active" | "questions" | "version">;

export const COUNSELORS: readonly StartCounselor[] = [
  {
    key: "asha",
    name: "Capt. Asha Sample",
    title: "Airline captain and training guide",
    description:
      "Talks you through the licence step by step: eligibility, the medical, the DGCA papers, and how to compare flying schools before you pay one.",
    yearsOfExperience: 17,
    rating: 5.0,
    sessions: 1290,
    specialties: ["DGCA licence path", "Choosing a flying school", "Medicals and eligibility"],
    languages: ["English", "Hindi"],
    portrait: "asha.svg",
    email: "asha@captains.example",
    meeting: { kind: "link", url: "https://meet.example/captain-asha" },
    sample: true,
  },
  {
    key: "rohan",
    name: "Capt. Rohan Sample",
    title: "Airline captain and selection mentor",
    description:
      "Helps you weigh cadet programmes against the conventional route, plan the budget, and prepare for airline selection and type rating.",
    yearsOfExperience: 17,
    rating: 5.0,
    sessions: 865,
    specialties: ["Cadet or conventional", "Budget and plan B", "Airline selection"],
    languages: ["English", "Hindi"],
    portrait: "rohan.svg",
    email: "rohan@captains.example",
    meeting: { kind: "call" },
    sample: true,
  },
];

export const PACKAGES: readonly StartPackage[] = [
  {
    minutes: 30,
    price: 999,
    label: "One clear question",
    description: "Eligibility, first steps, or a second opinion on a school.",
  },
  {
    minutes: 45,
    price: 1299,
    label: "Your full route",
    description: "Every step in order, with the time and money each one takes.",
  },
  {
    minutes: 60,
    price: 1499,
    label: "Route, money and plan B",
    description: "Everything in depth, with time for your parents' questions.",
  },
];
/** Offered on dates for which no availability is set. */
export const DEFAULT_TIMES: readonly string[] = [
  "09:00",
  "10:00",
  "11:00",
  "14:00",
  "15:00",
  "16:00",
];
export const BRAND = {
  name: "Captain's Briefing",
  tagline: "One-on-one aviation career counselling",
  /** The blue of `--color-action`. */
  accent: "#005bbf",
} as const;

export const LINKS = {
  bootcamp: { label: "Pilot bootcamp", url: "https://captains.example/bootcamp" },
  webinar: { label: "Free webinar", url: "https://captains.example/webinar" },
  book: { label: "The book", url: "https://captains.example/book" },
} as const;

/** Raised whenever the notice beside the submit button changes its meaning. */
export const NOTICE_VERSION = "2026-11-3";

/** The first questions and answers of the page. */
export function startQuestions(cutoffHours: number) {
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
      answer: `Until ${untilWords(cutoffHours)} you can move the session, or cancel it and get the full amount back, GST included. If we cancel, you always get the full amount back.`,
    },
    {
      question: "Do I get a GST invoice?",
      answer:
        "Yes, as a PDF in your confirmation email and on your booking page. Give your state in the form, so that the invoice shows the right kind of GST.",
    },
  ];
}
