/** A migration that was released stays as it is: files that have run it never run it again. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { migrations } from "#db/migrations/index.ts";

const FOLDER = join(import.meta.dirname, "migrations");
/** What it imports may move; what it does may not change. */
const IMPORTS = /^import [^;]*;\n/gm;

const RELEASED: Record<string, string> = {
  "20261120T1000_first_schema": "1f93f90676f283b1",
  "20261120T1500_admin_area": "dfc8baa0a3e4fef6",
  "20261120T1800_list_tally": "7f8d1839014ed7a7",
  "20261121T2300_codes_are_known": "87d67975712afa47",
  "20261121T2310_held_back_messages": "e9cbfda02590ba94",
  "20261121T2320_codes_by_browser": "6642184f045c5e07",
  "20261121T2330_feed_addresses": "90bd99b28fd95b93",
  "20261122T1300_own_bookings": "3f90439c294f132c",
  "20261122T1500_companies": "1bfe8f3c2b340d15",
  "20261122T1900_papers": "da94a5fd285d98b0",
  "20261122T1910_provider_fees": "e417ac7bdab809de",
  "20261122T2300_catalogue": "48bcfefb73a0ca02",
  "20261122T2310_schedule": "4677af84d4453aef",
  "20261123T0100_working_day": "2b15d1b5c37f5738",
  "20261123T0300_activity_words": "6f626af3768b4181",
  "20261123T0310_payers": "21d22d1e4e308843",
  "20261124T0100_team": "b702e051aef902ba",
  "20261124T0200_customers": "e39ef1e7446c2c5b",
  "20261124T0300_insights": "8fd455aec5a65544",
  "20261124T0400_erased_bookings": "b9317a0eea320c91",
  "20261124T0500_failures": "03f9ab61ef7074e7",
  "20261125T0100_refund_says_what_it_is": "52e3cc49b2ca798b",
  "20261125T0200_disputes": "41eb7821114a8bd6",
  "20261125T0310_outlived_messages": "62fa0aac15292c2b",
  "20261126T0100_answers_rebuilt": "9887ff1a755266fd",
  "20261127T0100_tax_to_the_paisa": "4ed92c50511c26ba",
  "20261128T0100_captain_languages": "a454a62859b6c1f1",
  "20261128T0200_settings": "dfea13e93a69fe41",
  "20261128T0300_session_rooms": "85e6bb30dd496cfd",
  "20261128T0400_student_and_answers": "1854d86321ac5d00",
  "20261128T0500_plan_ratings_help": "cca88ab494a63f5e",
  "20261128T0600_cutoff_and_test_mail": "c5e4c822c56df9e8",
  "20261129T0300_held_at": "982ee1c00a347ebd",
  "20261129T0400_last_words": "d757c0ef3c0e3f36",
  "20261129T0500_refund_accepted": "cdb1df989ff57813",
  "20261129T0600_failed_refunds": "559e50508c5cf032",
  "20261129T0700_of_which_session": "22c826682d100b07",
};

it("released migrations are what they were, and a new one is added here", () => {
  const files = readdirSync(FOLDER).filter((file) => /^\d/.test(file));
  const found = files.map((file) => {
    const text = readFileSync(join(FOLDER, file), "utf8").replaceAll(IMPORTS, "");
    const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
    return [file.replace(".ts", ""), hash];
  });
  expect(Object.fromEntries(found)).toEqual(RELEASED);
  expect(Object.keys(migrations)).toEqual(Object.keys(RELEASED));
});
