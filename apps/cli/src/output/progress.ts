import { Presets, SingleBar } from 'cli-progress';

/** Reports the progress of a command. */
export type Progress = (done: number, total: number, what: string) => void;

/** Without a terminal, prints one line per this many items. */
const PER_LINE = 1000;

type Screen = NodeJS.WritableStream & { readonly isTTY?: boolean };

/**
 * Shows a bar on stderr while the work runs, because stdout belongs to the result. Without a terminal, such as in a CI
 * log, it prints a line now and then.
 */
export async function withProgress<T>(
  run: (progress: Progress) => Promise<T>,
  screen: Screen = process.stderr,
): Promise<T> {
  if (screen.isTTY !== true) {
    return run((done, total, what) => {
      if (done > 0 && done % PER_LINE === 0) screen.write(`${String(done)} of ${String(total)} ${what}\n`);
    });
  }
  const bar = new SingleBar(
    { stream: screen, format: '{what} {bar} {value} of {total}', clearOnComplete: true, hideCursor: true },
    Presets.shades_classic,
  );
  let shown = '';
  try {
    return await run((done, total, what) => {
      if (what !== shown) bar.start(total, done, { what });
      shown = what;
      bar.setTotal(Math.max(total, done));
      bar.update(done, { what });
    });
  } finally {
    bar.stop();
  }
}
