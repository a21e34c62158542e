import { ensureBuilt } from './build.mjs';
import { ensurePackages } from './packages.mjs';

/**
 * @import { Processes } from '../processes/processes.mjs'
 * @import { Log } from '../system/report.mjs'
 */

/**
 * What a script needs before it can start anything: installed packages and built apps.
 *
 * @param {{processes: Processes, log: Log}} context
 */
export async function prepare(context) {
  await ensurePackages(context);
  await ensureBuilt(context);
}
