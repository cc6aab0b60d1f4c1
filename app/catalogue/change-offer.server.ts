/** The owner changes packages, default times and external links. */
import { change } from "#app/core/change.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { ActivityAction } from "#app/model/activity.ts";
import type { Actor } from "#app/model/actor.ts";
import { type Catalogue, findPackage, type SessionPackage } from "#app/model/catalogue.ts";
import { newId } from "#app/model/ids.ts";
import { failure, type Outcome, success } from "#app/model/outcome.ts";
import { readCatalogue, updateOfferSettings, updatePackage } from "#db/queries/catalogue.server.ts";
import type { PackageChange } from "./fields.ts";
import { changed, given, refuseStale } from "./read.server.ts";

type ChangeDeps = Pick<Deps, "db" | "now" | "wake">;

/**
 * Fields left out stay. Unpaid bookings keep their price. Refusals: `not_found`, `stale`,
 * `in_use` (the last package on the page).
 */
export function changePackage(
  deps: ChangeDeps,
  actor: Actor,
  minutes: number,
  { version, questions, ...input }: PackageChange,
): Outcome<SessionPackage> {
  return change(deps, actor, ({ tx, log }) => {
    const catalogue = readCatalogue(tx);
    const before = findPackage(catalogue, minutes);
    if (!before) return NO_PACKAGE;
    const stale = refuseStale(before, version);
    if (stale) return stale;
    const others = catalogue.packages.filter((one) => one.active && one.minutes !== minutes);
    if (input.active === false && others.length === 0) return LAST_PACKAGE;
    const asked = questions?.map((one) => ({ ...one, id: one.id ?? newId() }));
    const wanted = { ...before, ...given(input), ...(asked && { questions: asked }) };
    const what = changed(before, wanted);
    if (!what) return success(before);
    updatePackage(tx, wanted);
    log("package_edit", `${minutes} minutes`, what);
    return success(findPackage(readCatalogue(tx), minutes)!);
  });
}

const NO_PACKAGE = failure("not_found", "There is no package of this length.");
const LAST = "This is the last package on the page. Please put another one on the page first.";
const LAST_PACKAGE = failure("in_use", LAST, { errors: { active: [LAST] } });

type Settings = Pick<Catalogue, "defaultTimes" | "links">;

/** Changes the default times or the links. Refusal: `stale`. */
export function changeOfferSettings(
  deps: ChangeDeps,
  actor: Actor,
  input: Partial<Settings>,
  version: number | undefined,
): Outcome<Catalogue> {
  return change(deps, actor, ({ tx, log }) => {
    const catalogue = readCatalogue(tx);
    const stale = refuseStale(catalogue, version);
    if (stale) return stale;
    const what = changed<Partial<Settings>>(catalogue, { ...catalogue, ...input });
    if (!what) return success(catalogue);
    updateOfferSettings(tx, input);
    const action: ActivityAction = input.links ? "links_set" : "default_times_set";
    log(action, "catalogue", what);
    return success(readCatalogue(tx));
  });
}
