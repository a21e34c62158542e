import type { Sample } from './samples.js';

/** Processes, live heaps and Redis over time, a line for each sample. */
export function memoryTable(samples: readonly Sample[]): string {
  const names = Object.keys(samples[0]?.resident ?? {});
  const live = Object.keys(samples.find((one) => one.live !== null)?.live ?? {});
  const head = ['min', 'days', ...names, ...live.map((name) => `${name} live`), 'Redis', 'keys'];
  const rows = samples.map((one) => [
    one.minutes.toFixed(1),
    String(one.days),
    ...names.map((name) => (one.resident[name] ?? 0).toFixed(0)),
    ...live.map((name) => one.live?.[name]?.toFixed(1) ?? ''),
    one.redis.mib.toFixed(1),
    String(one.redis.keys),
  ]);
  return aligned([head, ...rows]);
}

/** The documents of each collection at the start, in the middle and at the end. */
export function collectionTable(samples: readonly Sample[]): string {
  const shown = [samples.at(0), samples.at(Math.floor(samples.length / 2)), samples.at(-1)];
  const all = shown.filter((one) => one !== undefined);
  const names = Object.keys(all.at(-1)?.documents ?? {}).sort();
  const head = ['documents', ...all.map(({ minutes }) => `${minutes.toFixed(1)} min`)];
  const rows = names.map((name) => [name, ...all.map(({ documents }) => String(documents[name] ?? 0))]);
  return aligned([head, ...rows]);
}

/** Aligns the first column to the left, numbers to the right. */
function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map((row) => (row[index] ?? '').length)));
  const cell = (text: string, index: number): string =>
    index === 0 ? text.padEnd(widths[index] ?? 0) : text.padStart(widths[index] ?? 0);
  return rows.map((row) => row.map(cell).join('  ')).join('\n');
}
