/** Choosing a captain, a day and its times. */
import { useId } from "react";
import { useNavigate, useNavigation } from "react-router";
import { FieldError } from "#app/components/field.tsx";
import { formatSlot } from "#app/model/dates.ts";
import { MASTER_TIMES } from "#app/model/day-plan.ts";
import { Choices } from "./form-parts.tsx";
import { searchOf, withList } from "./list-search.ts";
import { useListSearch } from "./overlay.tsx";

export interface TimeChoice {
  /** `HH:mm`. */
  value: string;
  label: string;
  /** The state of the time: `default`, `blocked: leave`, `booked: Meera`. */
  note: string | null;
  checked?: boolean;
  /** Drawn as not free, but still selectable. */
  off?: boolean;
}

interface TimeChoicesProps {
  legend: string;
  type: "radio" | "checkbox";
  name: string;
  times: readonly TimeChoice[];
  /** The time chosen before these were shown; if it is not among them, a sentence says so. */
  asked?: string | undefined;
  empty?: string;
  errors?: string[] | null | undefined;
  /** True while another day is being loaded; disables these times. */
  busy?: boolean;
}

const PARTS = [
  ["Morning", "00:00", "12:00"],
  ["Afternoon", "12:00", "17:00"],
  ["Evening", "17:00", "24:00"],
] as const;

export function TimeChoices(props: TimeChoicesProps) {
  const { legend, type, name, times, asked, empty, busy } = props;
  const id = useId();
  const errors = props.errors ?? lostTime(asked, times);
  return (
    <fieldset
      disabled={busy}
      className={`min-w-0 ${busy ? "board-loading" : ""}`}
      aria-describedby={errors ? `${id}-error` : undefined}
    >
      <legend className="font-semibold">{legend}</legend>
      <FieldError id={`${id}-error`} errors={errors ?? undefined} />
      {times.length === 0 && <p className="mt-2 text-muted">{empty}</p>}
      {PARTS.map(([part, from, to]) => {
        const inPart = times.filter((time) => time.value >= from && time.value < to);
        if (inPart.length === 0) return null;
        return (
          <div key={part} className="mt-2">
            <p className="legend mb-1">{part}</p>
            <div className="grid grid-cols-[repeat(auto-fill,minmax(max(5.6rem,30%),1fr))] gap-2">
              {inPart.map((time) => (
                <label key={time.value} className={`seat ${time.off ? "seat-off" : ""}`}>
                  <input type={type} name={name} value={time.value} defaultChecked={time.checked} />
                  <span className="min-w-0">
                    <span className="figures block font-semibold">{time.label}</span>
                    {time.note && <span className="block break-words text-sm">{time.note}</span>}
                  </span>
                </label>
              ))}
            </div>
          </div>
        );
      })}
    </fieldset>
  );
}

function lostTime(asked: string | undefined, times: readonly TimeChoice[]) {
  const isLost = times.length > 0 && times.every(({ value }) => value !== asked);
  if (!asked || !isLost || !MASTER_TIMES.includes(asked)) return undefined;
  return [`${formatSlot(asked)} is not free here. Please choose another time.`];
}

/**
 * `showDay` loads `page` for the current values of the named fields. It reads the form and not the
 * data shown, because something may have been chosen during the last load. Dates before `today` (in
 * India) are not loaded.
 */
export function useShownDay(page: string, names: readonly string[], today: string) {
  const navigate = useNavigate();
  const listSearch = useListSearch();
  const { state, location } = useNavigation();
  const isLoading = state === "loading" && location.pathname === page;
  const showDay = (form: HTMLFormElement | null) => {
    const fields = new FormData(form ?? undefined);
    // Times that are being loaded are disabled, so not in the form: what was asked for counts.
    const loading = new URLSearchParams(isLoading ? location.search : "");
    const asked = Object.fromEntries(
      names.map((name) => [name, String(fields.get(name) ?? loading.get(name) ?? "")]),
    );
    const { date = "" } = asked;
    if (date.length !== 10 || date < today) return;
    // Synchronously, so that the times of the previous day are disabled at once.
    const options = { replace: true, preventScrollReset: true, flushSync: true };
    void navigate(withList(page, listSearch, new URLSearchParams(searchOf(asked))), options);
  };
  return { showDay, isLoading };
}

interface CaptainsProps {
  view: { captains: readonly string[]; counselor: string };
  showDay: (form: HTMLFormElement | null) => void;
}

export function Captains({ view: { captains, counselor }, showDay }: CaptainsProps) {
  if (captains.length < 2) return null;
  return (
    <fieldset key={counselor}>
      <legend className="font-semibold">Captain</legend>
      <div className="flex flex-wrap gap-x-5">
        <Choices
          name="counselor"
          chosen={counselor}
          options={captains.map((name) => [name, name])}
          onChange={(event) => showDay(event.currentTarget.form)}
        />
      </div>
    </fieldset>
  );
}
