/** `AC/26-27/00001` ↔ `AC-26-27-00001`: a slash in an address is not safe with every proxy. */
export function documentSlug(number: string): string {
  return number.replaceAll("/", "-");
}

export function documentNumber(slug: string): string {
  return slug.replace(/^(.+)-(\d\d-\d\d)-(\d+)$/, "$1/$2/$3");
}
