import { ensureBuilt } from '../build.mjs';
import { ensurePackages } from './packages.mjs';

/**
 * What a script needs before it can start anything: installed packages and built apps.
 *
 * @param {{processes: import('./processes.mjs').Processes, log: import('./report.mjs').Log}} context
 */
export async function prepare(context) {
  await ensurePackages(context);
  await ensureBuilt(context);
}
