const TABLE_RECORDS = 12;
const TABLE_RECORD = 16;
const ENCODING_RECORD = 8;
const GROUP = 12;

/** First and last code point. */
type Span = readonly [number, number];

/** The code points that a TrueType or OpenType font has glyphs for, by its table `cmap`. */
export function codePointsOf(font: Buffer): readonly Span[] {
  const table = tableOf(font, 'cmap');
  const formats = new Map<number, number>();
  for (let index = 0; index < font.readUInt16BE(table + 2); index += 1) {
    const at = table + font.readUInt32BE(table + 4 + index * ENCODING_RECORD + 4);
    formats.set(font.readUInt16BE(at), at);
  }
  const [full, basic] = [formats.get(12), formats.get(4)];
  if (full !== undefined) return groups(font, full);
  if (basic !== undefined) return segments(font, basic);
  throw new Error('the font has no table of characters in a known format');
}

function tableOf(font: Buffer, tag: string): number {
  for (let index = 0; index < font.readUInt16BE(4); index += 1) {
    const record = TABLE_RECORDS + index * TABLE_RECORD;
    if (font.toString('latin1', record, record + 4) === tag) return font.readUInt32BE(record + 8);
  }
  throw new Error(`the font has no table ${tag}`);
}

/** Format 12: groups of code points of 32 bits. */
function groups(font: Buffer, at: number): Span[] {
  const count = font.readUInt32BE(at + 12);
  return Array.from({ length: count }, (_, index): Span => {
    const group = at + 16 + index * GROUP;
    return [font.readUInt32BE(group), font.readUInt32BE(group + 4)];
  });
}

/** Format 4: segments of code points of 16 bits; the last one is a mark. */
function segments(font: Buffer, at: number): Span[] {
  const bytes = font.readUInt16BE(at + 6);
  const spans: Span[] = [];
  for (let index = 0; index < bytes; index += 2) {
    const [end, start] = [font.readUInt16BE(at + 14 + index), font.readUInt16BE(at + 16 + bytes + index)];
    if (start !== 0xffff) spans.push([start, Math.min(end, 0xfffe)]);
  }
  return spans;
}
