/** Every migration in order, imported statically so that the bundled server carries them. */
import type { Migration } from "kysely/migration";
import * as firstSchema from "./20261120T1000_first_schema.ts";
import * as adminArea from "./20261120T1500_admin_area.ts";
import * as listTally from "./20261120T1800_list_tally.ts";
import * as codesAreKnown from "./20261121T2300_codes_are_known.ts";
import * as heldBackMessages from "./20261121T2310_held_back_messages.ts";
import * as codesByBrowser from "./20261121T2320_codes_by_browser.ts";
import * as feedAddresses from "./20261121T2330_feed_addresses.ts";
import * as ownBookings from "./20261122T1300_own_bookings.ts";
import * as companies from "./20261122T1500_companies.ts";
import * as papers from "./20261122T1900_papers.ts";
import * as providerFees from "./20261122T1910_provider_fees.ts";
import * as catalogue from "./20261122T2300_catalogue.ts";
import * as schedule from "./20261122T2310_schedule.ts";
import * as workingDay from "./20261123T0100_working_day.ts";
import * as activityWords from "./20261123T0300_activity_words.ts";
import * as payers from "./20261123T0310_payers.ts";
import * as team from "./20261124T0100_team.ts";
import * as customers from "./20261124T0200_customers.ts";
import * as insights from "./20261124T0300_insights.ts";
import * as erasedBookings from "./20261124T0400_erased_bookings.ts";
import * as failures from "./20261124T0500_failures.ts";
import * as refundSaysWhatItIs from "./20261125T0100_refund_says_what_it_is.ts";
import * as disputes from "./20261125T0200_disputes.ts";
import * as outlivedMessages from "./20261125T0310_outlived_messages.ts";
import * as answersRebuilt from "./20261126T0100_answers_rebuilt.ts";
import * as taxToThePaisa from "./20261127T0100_tax_to_the_paisa.ts";
import * as captainLanguages from "./20261128T0100_captain_languages.ts";
import * as settings from "./20261128T0200_settings.ts";
import * as sessionRooms from "./20261128T0300_session_rooms.ts";
import * as studentAndAnswers from "./20261128T0400_student_and_answers.ts";
import * as planRatingsHelp from "./20261128T0500_plan_ratings_help.ts";
import * as cutoffAndTestMail from "./20261128T0600_cutoff_and_test_mail.ts";
import * as heldAt from "./20261129T0300_held_at.ts";
import * as lastWords from "./20261129T0400_last_words.ts";
import * as refundAccepted from "./20261129T0500_refund_accepted.ts";
import * as failedRefunds from "./20261129T0600_failed_refunds.ts";
import * as ofWhichSession from "./20261129T0700_of_which_session.ts";

export const migrations: Record<string, Migration> = {
  "20261120T1000_first_schema": firstSchema,
  "20261120T1500_admin_area": adminArea,
  "20261120T1800_list_tally": listTally,
  "20261121T2300_codes_are_known": codesAreKnown,
  "20261121T2310_held_back_messages": heldBackMessages,
  "20261121T2320_codes_by_browser": codesByBrowser,
  "20261121T2330_feed_addresses": feedAddresses,
  "20261122T1300_own_bookings": ownBookings,
  "20261122T1500_companies": companies,
  "20261122T1900_papers": papers,
  "20261122T1910_provider_fees": providerFees,
  "20261122T2300_catalogue": catalogue,
  "20261122T2310_schedule": schedule,
  "20261123T0100_working_day": workingDay,
  "20261123T0300_activity_words": activityWords,
  "20261123T0310_payers": payers,
  "20261124T0100_team": team,
  "20261124T0200_customers": customers,
  "20261124T0300_insights": insights,
  "20261124T0400_erased_bookings": erasedBookings,
  "20261124T0500_failures": failures,
  "20261125T0100_refund_says_what_it_is": refundSaysWhatItIs,
  "20261125T0200_disputes": disputes,
  "20261125T0310_outlived_messages": outlivedMessages,
  "20261126T0100_answers_rebuilt": answersRebuilt,
  "20261127T0100_tax_to_the_paisa": taxToThePaisa,
  "20261128T0100_captain_languages": captainLanguages,
  "20261128T0200_settings": settings,
  "20261128T0300_session_rooms": sessionRooms,
  "20261128T0400_student_and_answers": studentAndAnswers,
  "20261128T0500_plan_ratings_help": planRatingsHelp,
  "20261128T0600_cutoff_and_test_mail": cutoffAndTestMail,
  "20261129T0300_held_at": heldAt,
  "20261129T0400_last_words": lastWords,
  "20261129T0500_refund_accepted": refundAccepted,
  "20261129T0600_failed_refunds": failedRefunds,
  "20261129T0700_of_which_session": ofWhichSession,
};
