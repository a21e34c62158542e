import { closeSync, openSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileJournal, memoryJournal, readLines, writeWhole } from './journal.js';
import { Ledger } from './ledger.js';

/** Compaction is considered when it would drop this much. */
const COMPACT_ABOVE_BYTES = 64 * 1024 * 1024;
const WRITE_AT_ONCE = 1 << 20;

export interface OpenLedger {
  readonly ledger: Ledger;
  close(): void;
}

/**
 * Opens the ledger kept in `directory` (in memory without one). A journal whose old part is large, and has more
 * than doubled since it was last compacted, is compacted first. One process at a time may have it open.
 */
export function openLedger(
  directory: string | null,
  now: number,
  compactAbove = COMPACT_ABOVE_BYTES,
): OpenLedger {
  if (directory === null) {
    const ledger = new Ledger();
    ledger.attach(memoryJournal());
    return { ledger, close: () => undefined };
  }
  const path = join(directory, 'journal.jsonl');
  const opened = read(path);
  const neededFrom = opened.ledger.neededFrom(now);
  if (neededFrom < Math.max(compactAbove, opened.ledger.compactedTo * 2)) return opened;
  opened.close();
  compact(path, neededFrom);
  return read(path);
}

function read(path: string): OpenLedger {
  const ledger = new Ledger();
  const journal = fileJournal(path, (line, place) => ledger.replay(line, place));
  ledger.attach(journal);
  return { ledger, close: () => journal.close() };
}

/**
 * Replaces the lines before `neededFrom` by the records they left. The new file takes the old one's place at
 * once or not at all, so a death in between loses nothing.
 */
function compact(path: string, neededFrom: number): void {
  const old = new Ledger();
  const fd = openSync(`${path}.new`, 'w');
  let pending = '';
  const write = (line: string): void => {
    pending += `${line}\n`;
    if (pending.length >= WRITE_AT_ONCE) flush();
  };
  const flush = (): void => {
    writeWhole(fd, Buffer.from(pending));
    pending = '';
  };
  const writeRecords = (): void => {
    for (const line of old.recordLines()) write(line);
    write(JSON.stringify({ base: true }));
  };
  let inOld = true as boolean;
  readLines(path, (line, place) => {
    if (inOld && place.at >= neededFrom) {
      inOld = false;
      writeRecords();
    }
    if (inOld) old.replay(line, place);
    else write(line);
  });
  if (inOld) writeRecords();
  flush();
  closeSync(fd);
  renameSync(`${path}.new`, path);
}
