/** Amounts in Indian English: lakh and crore, as documents print them. */

const SMALL =
  " One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen Fifteen Sixteen Seventeen Eighteen Nineteen".split(
    " ",
  );
const TENS = ["", "", "Twenty", "Thirty", "Forty", "Fifty", "Sixty", "Seventy", "Eighty", "Ninety"];

/** `117900` → `Rupees One Thousand One Hundred Seventy-Nine Only`. Takes whole paise, not below 0. */
export function amountInWords(paise: number): string {
  if (!Number.isSafeInteger(paise) || paise < 0) throw new RangeError(`not an amount: ${paise}`);
  const rupees = Math.floor(paise / 100);
  const rest = paise % 100;
  const words = [rupees > 0 ? `Rupees ${wholeInWords(rupees)}` : "", restInWords(rest, rupees > 0)]
    .filter(Boolean)
    .join(" ");
  return `${words || "Rupees Zero"} Only`;
}

function restInWords(paise: number, afterRupees: boolean): string {
  if (paise === 0) return "";
  return afterRupees ? `and ${underHundred(paise)} Paise` : `Paise ${underHundred(paise)}`;
}

/** Crores repeat the whole scheme, so any amount has a name: `One Lakh Crore`. */
function wholeInWords(rupees: number): string {
  const crores = Math.floor(rupees / 10_000_000);
  const lakhs = Math.floor(rupees / 100_000) % 100;
  const thousands = Math.floor(rupees / 1000) % 100;
  const hundreds = Math.floor(rupees / 100) % 10;
  return [
    crores > 0 ? `${wholeInWords(crores)} Crore` : "",
    lakhs > 0 ? `${underHundred(lakhs)} Lakh` : "",
    thousands > 0 ? `${underHundred(thousands)} Thousand` : "",
    hundreds > 0 ? `${underHundred(hundreds)} Hundred` : "",
    underHundred(rupees % 100),
  ]
    .filter(Boolean)
    .join(" ");
}

function underHundred(number: number): string {
  const ten = TENS[Math.floor(number / 10)] ?? "";
  if (number < 20) return SMALL[number] ?? "";
  return number % 10 === 0 ? ten : `${ten}-${SMALL[number % 10]}`;
}
