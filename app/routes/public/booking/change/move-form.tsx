/** Day, time and e-mail address: the form that moves a booking. */
import { getFormProps, type SubmissionResult, useForm } from "@conform-to/react";
import { useEffect, useRef, useState } from "react";
import { Form, href, useNavigation } from "react-router";
import { FormSection } from "#app/components/section.tsx";
import { formatDay, formatSlot } from "#app/model/dates.ts";
import type { ChangeView } from "./change-page.tsx";
import { NewDay, type NewDaysView } from "./new-day.tsx";
import { NewTime } from "./new-time.tsx";
import { OwnerEmail } from "./owner-email.tsx";

export interface NewTimesView extends NewDaysView {
  /** The captain takes no bookings any more, so there are no times. */
  isOff: boolean;
  day: string;
  times: string[];
  next: { date: string; day: string }[];
  /** True if some of these times are too near to be changed here again. */
  near: boolean;
}

type MoveFields = { newTimeSlot: string; email: string };

interface MoveFormProps {
  view: ChangeView;
  days: NewTimesView;
  reply: SubmissionResult<string[]> | undefined;
}

export function MoveForm({ view, days, reply }: MoveFormProps) {
  const navigation = useNavigation();
  const form = useRef<HTMLFormElement>(null);
  const typed = String(reply?.initialValue?.newTimeSlot ?? "");
  const [choice, setChoice] = useState({ date: days.date, timeSlot: typed });
  const [bound, fields] = useForm<MoveFields>({
    id: "move",
    ...(reply ? { lastResult: reply } : {}),
  });
  const fits = choice.date === days.date && days.times.includes(choice.timeSlot);
  const chosen = fits ? choice.timeSlot : "";
  const moving = navigation.formMethod === "POST";
  const looking = navigation.state === "loading" && !navigation.formMethod;

  // Chosen before the scripts had loaded.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after hydration
  useEffect(() => {
    const timeSlot = form.current && new FormData(form.current).get("newTimeSlot");
    if (typeof timeSlot === "string") setChoice({ date: days.date, timeSlot });
  }, []);

  return (
    <div className="grid gap-8">
      <FormSection id="move-day" number={1} title="New day" done={false}>
        <NewDay id={view.id} days={days} />
      </FormSection>
      <Form
        {...getFormProps(bound)}
        ref={form}
        method="post"
        action={href("/booking/:id/reschedule", { id: view.id })}
        noValidate
        className="grid min-w-0 gap-8"
      >
        <input type="hidden" name="date" value={days.date} />
        <input type="hidden" name="version" value={view.version} />
        <FormSection id="move-time" number={2} title="New time" done={chosen !== ""}>
          <NewTime
            id={view.id}
            {...days}
            looking={looking}
            chosen={chosen}
            errors={fields.newTimeSlot.errors}
            onChoose={(timeSlot) => setChoice({ date: days.date, timeSlot })}
          />
          {days.near && (
            <p className="mt-3 text-muted">
              If you choose a time less than {view.cutoffHours} hours ahead, you cannot change it
              online again.
            </p>
          )}
        </FormSection>
        <FormSection id="move-owner" number={3} title="Your email" done={false}>
          <div className="max-w-112">
            <OwnerEmail field={fields.email} hint={view.emailHint} />
          </div>
        </FormSection>
        <div className="flex flex-wrap gap-3">
          <button type="submit" disabled={moving} className="button button-primary">
            {moving ? "Moving..." : buttonWords(days.date, chosen)}
          </button>
          <a className="button button-quiet" href={href("/booking/:id", { id: view.id })}>
            Keep the time I have
          </a>
        </div>
      </Form>
    </div>
  );
}

function buttonWords(date: string, timeSlot: string): string {
  if (timeSlot === "") return "Move to the new time";
  return `Move to ${formatDay(date)}, ${formatSlot(timeSlot)}`;
}
