/** Shows another day's times as soon as a form asks for them, before anything is sent. */
import { useNavigate, useNavigation } from "react-router";
import { withList } from "./list-search.ts";

interface LookOptions {
  /** Date in India; earlier ones are not asked for. */
  today: string;
  listSearch: string;
}

/**
 * `look` asks `page` for what the named fields of a form hold by now: the form, not what was shown
 * last, knows what was chosen while an answer was on its way.
 */
export function useLook(
  page: string,
  names: readonly string[],
  { today, listSearch }: LookOptions,
) {
  const navigate = useNavigate();
  const { state, location } = useNavigation();
  const look = (form: HTMLFormElement | null) => {
    const fields = new FormData(form ?? undefined);
    const asked = Object.fromEntries(
      names.filter((name) => fields.has(name)).map((name) => [name, String(fields.get(name))]),
    );
    const { date = "" } = asked;
    if (date.length !== 10 || date < today) return;
    // At once: the times shown until then are not there to be chosen.
    const options = { replace: true, preventScrollReset: true, flushSync: true };
    void navigate(withList(page, listSearch, asked), options);
  };
  return { look, looking: state === "loading" && location.pathname === page };
}
