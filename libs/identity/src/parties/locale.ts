/** The languages of invoices, alone or with a country: `de`, `de-AT`. */
export const LOCALE = {
  max: 5,
  pattern: /^(en|de|fr|es|it|nl)(-[A-Z]{2})?$/,
  example: 'de',
} as const;
