/** The field that only bots fill. A file of its own, which the browser can load. */
export const HONEYPOT_FIELD = "website";
