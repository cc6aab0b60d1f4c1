/** The field that only programs fill. Apart from the schema, so that the form loads without it. */
export const HONEYPOT_FIELD = "website";
