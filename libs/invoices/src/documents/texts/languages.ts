import { DE } from './de.js';
import type { DocumentTexts } from './document-texts.js';
import { EN } from './en.js';
import { ES } from './es.js';
import { FR } from './fr.js';
import { IT } from './it.js';
import { NL } from './nl.js';

const LANGUAGES: ReadonlyMap<string, DocumentTexts> = new Map([
  ['en', EN],
  ['de', DE],
  ['fr', FR],
  ['es', ES],
  ['it', IT],
  ['nl', NL],
]);

/** The language of a locale, and its words: `de` for `de-AT`. English where there are none. */
export function languageOf(locale: string): { readonly language: string; readonly texts: DocumentTexts } {
  const [language = ''] = locale.split('-');
  const texts = LANGUAGES.get(language);
  return texts === undefined ? { language: 'en', texts: EN } : { language, texts };
}
