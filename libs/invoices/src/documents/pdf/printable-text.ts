import type { DocumentFonts } from './fonts.js';

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Shown for a sign that no font has: PDF/A permits no signs without a glyph. */
const UNKNOWN = '\ufffd';

/** Characters that shape others and are not seen. Variation selectors choose pictures that no font here has. */
const UNSEEN = /^[\u200c\u200d]$/;
const VARIATION = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;
/** Spaces of all kinds that are not for one line, and marks that nothing shows. */
const SPACE = /[\t\v\f\r\u0085\u2028\u2029]/gu;
const CONTROL = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/u;
const PICTOGRAPH = /\p{Extended_Pictographic}|\p{Regional_Indicator}/u;

/** A text as the fonts can show it. Lines are kept; pictographs, which the fonts lack, are left out. */
export function printableText(text: string, fonts: DocumentFonts): string {
  const composed = text.normalize('NFC').replace(SPACE, ' ').replace(VARIATION, '');
  if (/^[\n -~\u00a0-\u00ac\u00ae-\u017f]*$/.test(composed)) return composed;
  const shown = [...GRAPHEMES.segment(composed)].map(({ segment }) => printable(segment, fonts));
  return shown.join('');
}

function printable(grapheme: string, fonts: DocumentFonts): string {
  if (grapheme === '\n') return grapheme;
  const seen = [...grapheme].filter((one) => !UNSEEN.test(one));
  if (seen.some((one) => CONTROL.test(one)))
    return printable(seen.filter((one) => !CONTROL.test(one)).join(''), fonts);
  if (fonts.has(seen.map((one) => one.codePointAt(0) ?? 0))) return grapheme;
  return PICTOGRAPH.test(grapheme) ? '' : UNKNOWN;
}

/** All texts of a value, as the fonts can show them. */
export function printableTexts(value: unknown, fonts: DocumentFonts): unknown {
  if (typeof value === 'string') return printableText(value, fonts);
  if (Array.isArray(value)) return value.map((one) => printableTexts(one, fonts));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, printableTexts(one, fonts)]));
}
