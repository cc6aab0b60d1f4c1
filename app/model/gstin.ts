/** GST identifiers: state codes and the GSTIN's shape, check digit and state prefix. */

/** Code → name; the first two digits of a GSTIN. */
const STATES = {
  "01": "Jammu and Kashmir",
  "02": "Himachal Pradesh",
  "03": "Punjab",
  "04": "Chandigarh",
  "05": "Uttarakhand",
  "06": "Haryana",
  "07": "Delhi",
  "08": "Rajasthan",
  "09": "Uttar Pradesh",
  "10": "Bihar",
  "11": "Sikkim",
  "12": "Arunachal Pradesh",
  "13": "Nagaland",
  "14": "Manipur",
  "15": "Mizoram",
  "16": "Tripura",
  "17": "Meghalaya",
  "18": "Assam",
  "19": "West Bengal",
  "20": "Jharkhand",
  "21": "Odisha",
  "22": "Chhattisgarh",
  "23": "Madhya Pradesh",
  "24": "Gujarat",
  "26": "Dadra and Nagar Haveli and Daman and Diu",
  "27": "Maharashtra",
  "29": "Karnataka",
  "30": "Goa",
  "31": "Lakshadweep",
  "32": "Kerala",
  "33": "Tamil Nadu",
  "34": "Puducherry",
  "35": "Andaman and Nicobar",
  "36": "Telangana",
  "37": "Andhra Pradesh",
  "38": "Ladakh",
  "97": "Other Territory",
};

export const GST_STATES: ReadonlyMap<string, string> = new Map(Object.entries(STATES));

/** Where the customer lives abroad, as GSTR-1 numbers it; no GSTIN begins with it. */
export const OUTSIDE_INDIA = "96";

/** Where a customer may live, and so the places of supply. */
export const PLACES: ReadonlyMap<string, string> = new Map([
  [OUTSIDE_INDIA, "Outside India"],
  ...GST_STATES,
]);

/** Union territories without a legislature, where the state half of the tax is called UTGST. */
export const UTGST_STATES: readonly string[] = ["04", "26", "31", "35", "38"];

/** Code → name, sorted by name; abroad first. */
export const PLACE_OPTIONS: readonly (readonly [string, string])[] = [
  [OUTSIDE_INDIA, "Outside India"],
  ...[...GST_STATES].sort((a, b) => a[1].localeCompare(b[1], "en")),
];

const GSTIN_PATTERN = /^[0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][1-9A-Z]Z[0-9A-Z]$/;
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** The 15th character: weights 1 and 2 in turn over base 36, digit sums, complement to 36. */
export function gstinCheckDigit(first14: string): string {
  let sum = 0;
  for (let i = 0; i < 14; i++) {
    const product = DIGITS.indexOf(first14.charAt(i)) * (i % 2 === 0 ? 1 : 2);
    sum += Math.floor(product / 36) + (product % 36);
  }
  return DIGITS.charAt((36 - (sum % 36)) % 36);
}

/** The state in which the GSTIN is registered; not checked. */
export function stateOfGstin(gstin: string): string {
  return gstin.slice(0, 2);
}

/** Nobody's, with a correct check digit. */
export const SAMPLE_GSTIN = "29ABCDE1234F1ZW";

/** What is wrong with a GSTIN (in capitals without spaces), or null. */
export function gstinFault(gstin: string): string | null {
  if (!GSTIN_PATTERN.test(gstin)) return "is not of the form of one";
  if (!GST_STATES.has(stateOfGstin(gstin))) return "begins with a number that no state has";
  if (gstinCheckDigit(gstin.slice(0, 14)) !== gstin[14]) return "has a wrong check digit";
  return null;
}
