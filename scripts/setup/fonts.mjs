/**
 * The fonts that documents embed. Their packages have all weights; a build copies the few that are used, with their
 * licence, so that the image needs no packages of fonts.
 */
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../system/settings.mjs';

const FONTS = {
  'fonts-latin': ['NotoSans-Regular.ttf', 'NotoSans-SemiBold.ttf'],
  'fonts-arabic': ['NotoNaskhArabic-Regular.ttf', 'NotoNaskhArabic-Bold.ttf'],
  'fonts-hebrew': ['NotoSansHebrew-Regular.ttf', 'NotoSansHebrew-Bold.ttf'],
  // One weight: each has 5 to 8 MB.
  'fonts-sc': ['NotoSansHans-Regular.otf'],
  'fonts-kr': ['NotoSansKR-Regular.otf'],
};

/** @param {string} target */
export function addFonts(target) {
  mkdirSync(target, { recursive: true });
  for (const [name, files] of Object.entries(FONTS)) {
    const folder = join(ROOT, 'node_modules/@embedpdf', name);
    for (const file of files) cpSync(join(folder, 'fonts', file), join(target, file));
    cpSync(join(folder, 'LICENSE'), join(target, `${name}.LICENSE`));
  }
}
