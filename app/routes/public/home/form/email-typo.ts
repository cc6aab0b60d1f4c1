/** A gentle hint for a mistyped mail provider; never a refusal. */

const PROVIDERS = [
  "gmail.com",
  "yahoo.com",
  "yahoo.co.in",
  "hotmail.com",
  "outlook.com",
  "icloud.com",
  "rediffmail.com",
];

/** Real ones that are one slip away from another. */
const REAL = [...PROVIDERS, "mail.com", "ymail.com", "email.com"];

/** The address as it was probably meant, or null. */
export function likelyEmail(email: string): string | null {
  const at = email.lastIndexOf("@");
  const domain = email
    .slice(at + 1)
    .trim()
    .toLowerCase();
  if (at < 1 || domain.length < 5 || REAL.includes(domain)) return null;
  const meant = PROVIDERS.find((provider) => isOneSlip(domain, provider));
  return meant ? `${email.slice(0, at)}@${meant}` : null;
}

/** One letter more, less, other, or two neighbours swapped. */
function isOneSlip(typed: string, meant: string): boolean {
  if (Math.abs(typed.length - meant.length) > 1) return false;
  let i = 0;
  while (i < typed.length && typed[i] === meant[i]) i++;
  const typedRest = typed.slice(i);
  const meantRest = meant.slice(i);
  return (
    typedRest.slice(1) === meantRest.slice(1) ||
    typedRest.slice(1) === meantRest ||
    typedRest === meantRest.slice(1) ||
    (typedRest[0] === meantRest[1] &&
      typedRest[1] === meantRest[0] &&
      typedRest.slice(2) === meantRest.slice(2))
  );
}
