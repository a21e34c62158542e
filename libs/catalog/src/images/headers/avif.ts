import { bigEndian, word } from './bytes.js';
import type { Extent } from './extent.js';

/** A box of the ISO base media format: its type, and where its content begins and ends. */
interface Box {
  readonly type: string;
  readonly from: number;
  readonly to: number;
}

/** Behind the head of a box, some have a version and flags before what they hold. */
const VERSION_AND_FLAGS = 4;

/**
 * AVIF: a file of boxes. It may hold several pictures, such as thumbnails, masks and tiles; the size that counts
 * is that of the primary one, which a table links with the box that holds it.
 */
export function avifExtent(bytes: Buffer): Extent | null {
  const [first] = boxes(bytes, 0, bytes.length);
  if (first?.type !== 'ftyp' || !brands(bytes, first).some((brand) => brand === 'avif' || brand === 'avis')) {
    return null;
  }
  const meta = find(bytes, { type: '', from: 0, to: bytes.length }, 'meta');
  const inside = meta && { ...meta, from: meta.from + VERSION_AND_FLAGS };
  const primary = find(bytes, inside, 'pitm');
  const properties = find(bytes, inside, 'iprp');
  const links = find(bytes, properties, 'ipma');
  const list = find(bytes, properties, 'ipco');
  if (!primary || !links || !list) return null;
  const wanted = linkedWith(bytes, links, primaryItem(bytes, primary));
  const found = [...boxes(bytes, list.from, list.to)].find(
    ({ type }, index) => type === 'ispe' && wanted.has(index + 1),
  );
  if (found === undefined) return null;
  const size = found.from + VERSION_AND_FLAGS;
  return { width: bigEndian(bytes, size, 4), height: bigEndian(bytes, size + 4, 4) };
}

/** The boxes that lie side by side in a part of the file, up to the first that is not whole. */
function* boxes(bytes: Buffer, from: number, to: number): Generator<Box> {
  for (let at = from; at + 8 <= to;) {
    const short = bigEndian(bytes, at, 4);
    const head = short === 1 ? 16 : 8;
    // Six bytes of eight are read: no file here is that large, and more would not be exact.
    const size = short === 1 ? bigEndian(bytes, at + 10, 6) : short === 0 ? to - at : short;
    if (!(size >= head && at + size <= to)) return;
    yield { type: word(bytes, at + 4), from: at + head, to: at + size };
    at += size;
  }
}

function find(bytes: Buffer, within: Box | null, type: string): Box | null {
  if (within === null) return null;
  for (const box of boxes(bytes, within.from, within.to)) if (box.type === type) return box;
  return null;
}

/** The major brand and those that the file is compatible with; the minor version between them is none. */
function brands(bytes: Buffer, { from, to }: Box): string[] {
  const found = [word(bytes, from)];
  for (let at = from + 8; at + 4 <= to; at += 4) found.push(word(bytes, at));
  return found;
}

function primaryItem(bytes: Buffer, { from }: Box): number {
  const version = bigEndian(bytes, from, 1);
  return bigEndian(bytes, from + VERSION_AND_FLAGS, version === 0 ? 2 : 4);
}

/** The numbers, from 1, of the properties that a table links with an item. */
function linkedWith(bytes: Buffer, { from, to }: Box, item: number): ReadonlySet<number> {
  const idLength = bigEndian(bytes, from, 1) === 0 ? 2 : 4;
  const linkLength = bigEndian(bytes, from + 3, 1) % 2 === 1 ? 2 : 1;
  const linked = new Set<number>();
  for (let at = from + 8; at + idLength + 1 <= to;) {
    const id = bigEndian(bytes, at, idLength);
    const links = at + idLength + 1;
    const end = links + bigEndian(bytes, links - 1, 1) * linkLength;
    for (let link = links; id === item && link < end; link += linkLength) {
      // The highest bit says that readers must understand the property.
      linked.add(bigEndian(bytes, link, linkLength) % 2 ** (linkLength * 8 - 1));
    }
    at = end;
  }
  return linked;
}
