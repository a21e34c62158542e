import { Presets, SingleBar } from 'cli-progress';

/** Tells how far a command is. */
export type Progress = (done: number, total: number, what: string) => void;

/** Without a terminal, one line for so many. */
const PER_LINE = 1000;

type Screen = NodeJS.WritableStream & { readonly isTTY?: boolean };

/**
 * Shows a bar on stderr while something runs: stdout belongs to the result. Where there is no terminal, such as in the
 * log of a CI run, it is a line now and then.
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
