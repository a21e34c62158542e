import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Where a line lies: byte offset and length without its line feed (in memory: index and length). */
export interface Place {
  readonly at: number;
  readonly length: number;
}

/** An append-only record of lines. What `append` returned from has been handed to the system: kill -9 cannot lose it. */
export interface Journal {
  append(line: string): Place;
  read(place: Place): string;
  /** Bytes written so far. */
  size(): number;
  close(): void;
}

export function memoryJournal(): Journal {
  const lines: string[] = [];
  let size = 0;
  return {
    append: (line) => {
      size += line.length + 1;
      return { at: lines.push(line) - 1, length: line.length };
    },
    read: ({ at }) => lines[at] ?? '',
    size: () => size,
    close: () => undefined,
  };
}

const LINE_FEED = 10;
const CHUNK = 1 << 20;

/**
 * Opens the journal file, hands every whole line to `onLine` in order, and cuts off a last line that a dying
 * process left unfinished: the next line would otherwise be glued to it and be lost as well.
 *
 * Writes are synchronous and not flushed to the disk: they survive the death of the process, not of the machine.
 */
export function fileJournal(path: string, onLine: (line: string, place: Place) => void): Journal {
  mkdirSync(dirname(path), { recursive: true });
  const fd = openSync(path, 'a+');
  let end = replay(fd, onLine);
  if (fstatSync(fd).size > end) ftruncateSync(fd, end);
  return {
    append: (line) => {
      const bytes = Buffer.from(`${line}\n`);
      try {
        writeWhole(fd, bytes);
      } catch (error) {
        // A full disk may have taken a part of the line.
        ftruncateSync(fd, end);
        throw error;
      }
      const place = { at: end, length: bytes.length - 1 };
      end += bytes.length;
      return place;
    },
    read: ({ at, length }) => {
      const bytes = Buffer.allocUnsafe(length);
      const got = readSync(fd, bytes, 0, length, at);
      return bytes.toString('utf8', 0, got);
    },
    size: () => end,
    close: () => closeSync(fd),
  };
}

/** Writes all of it: the system may take a part only. */
export function writeWhole(fd: number, bytes: Buffer): void {
  let written = 0;
  while (written < bytes.length) written += writeSync(fd, bytes, written);
}

/** Reads the whole lines of a file. */
export function readLines(path: string, onLine: (line: string, place: Place) => void): void {
  const fd = openSync(path, 'r');
  replay(fd, onLine);
  closeSync(fd);
}

/** Reads all whole lines; returns the offset behind the last one. */
function replay(fd: number, onLine: (line: string, place: Place) => void): number {
  const chunk = Buffer.allocUnsafe(CHUNK);
  let rest = Buffer.alloc(0);
  let lineStart = 0;
  let offset = 0;
  for (;;) {
    const got = readSync(fd, chunk, 0, CHUNK, offset);
    if (got === 0) return lineStart;
    offset += got;
    const text = rest.length === 0 ? chunk.subarray(0, got) : Buffer.concat([rest, chunk.subarray(0, got)]);
    let from = 0;
    for (let to = text.indexOf(LINE_FEED, from); to !== -1; to = text.indexOf(LINE_FEED, from)) {
      onLine(text.toString('utf8', from, to), { at: lineStart, length: to - from });
      lineStart += to - from + 1;
      from = to + 1;
    }
    rest = Buffer.from(text.subarray(from));
  }
}
