import { readFileSync } from 'node:fs';

import { DocumentFonts } from './fonts.js';

const PACKAGES = new URL('../../../../../node_modules/@embedpdf/', import.meta.url);

const FILES = [
  ...['latin/fonts/NotoSans-Regular.ttf', 'latin/fonts/NotoSans-SemiBold.ttf'],
  ...['arabic/fonts/NotoNaskhArabic-Regular.ttf', 'arabic/fonts/NotoNaskhArabic-Bold.ttf'],
  ...['hebrew/fonts/NotoSansHebrew-Regular.ttf', 'hebrew/fonts/NotoSansHebrew-Bold.ttf'],
  ...['sc/fonts/NotoSansHans-Regular.otf', 'kr/fonts/NotoSansKR-Regular.otf'],
];

/** The fonts as they are installed; a build copies them. */
export const FONTS = new DocumentFonts(FILES.map((file) => readFileSync(new URL(`fonts-${file}`, PACKAGES))));
