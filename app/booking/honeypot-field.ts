/** The field that only bots fill. Apart from the schema, so that the form loads without it. */
export const HONEYPOT_FIELD = "website";
