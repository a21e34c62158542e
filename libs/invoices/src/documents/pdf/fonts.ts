import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { codePointsOf } from './font-coverage.js';

/** The fonts that documents embed. Nothing else is used: a document must look the same on each machine. */
export class DocumentFonts {
  private readonly covered: readonly ReadonlySet<number>[];

  constructor(readonly files: readonly Buffer[]) {
    this.covered = files.map((file) => {
      const points = codePointsOf(file).flatMap(([first, last]) =>
        Array.from({ length: last - first + 1 }, (_, index) => first + index),
      );
      return new Set(points);
    });
  }

  /** Reads all fonts of a folder. */
  static in(folder: string): DocumentFonts {
    const names = readdirSync(folder).filter((name) => /\.(ttf|otf)$/.test(name));
    return new DocumentFonts(names.sort().map((name) => readFileSync(join(folder, name))));
  }

  /** Whether one font has glyphs for all of these characters, as those that form one sign must. */
  has(codePoints: readonly number[]): boolean {
    return this.covered.some((font) => codePoints.every((one) => font.has(one)));
  }
}
