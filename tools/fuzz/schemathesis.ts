import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir, type ToolContext } from '@commerce/stack';

const VERSION = '4.32.5';

/**
 * The schemathesis command, installed once for all checkouts of this user; null, with a message, without Python or a
 * registry.
 */
export async function schemathesis({
  processes,
  log,
}: Pick<ToolContext, 'processes' | 'log'>): Promise<string | null> {
  const folder = join(cacheDir(), `schemathesis-${VERSION}`);
  const command = join(folder, 'bin/st');
  const quiet = { onLine: () => undefined };
  if (existsSync(command)) return command;
  log('Fuzzing', `installing schemathesis ${VERSION} in ${folder}`);
  const steps: [string, string[]][] = [
    ['python3', ['-m', 'venv', '--clear', folder]],
    [join(folder, 'bin/pip'), ['install', '--quiet', `schemathesis==${VERSION}`]],
  ];
  for (const [program, args] of steps) {
    const { code, output } = await processes.run(program, args, quiet);
    if (code !== 0) {
      log('Fuzzing', `skipped: schemathesis could not be installed.\n${output}`);
      return null;
    }
  }
  return command;
}
