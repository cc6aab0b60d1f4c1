/**
 * `meera@example.in` → `m•••@e•••.in`: enough for its owner to know which address it is, too little
 * for somebody else to type it.
 */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf("@");
  const domain = email.slice(at + 1);
  const dot = domain.lastIndexOf(".");
  const ending = dot > 0 ? domain.slice(dot) : "";
  return `${email.slice(0, 1)}•••@${domain.slice(0, 1)}•••${ending}`;
}
