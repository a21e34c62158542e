import { T } from '../texts';

const regions = new Intl.DisplayNames(T.locale, { type: 'region' });
const languages = new Intl.DisplayNames(T.locale, { type: 'language' });

export function countryName(code: string): string {
  return regions.of(code) ?? code;
}

/** `de-AT`: Austrian German. */
export function languageName(locale: string): string {
  return languages.of(locale) ?? locale;
}
