/** `npm run build`: compiles even when nothing has changed. */
import './system/node-version.mjs';
import { Processes } from './processes/processes.mjs';
import { ensureBuilt } from './setup/build.mjs';
import { createLog, runScript } from './system/report.mjs';

await runScript(async () => {
  const log = createLog(['Build']);
  const processes = new Processes({ log });
  await ensureBuilt({ processes, log, force: true }).finally(() => processes.stop());
});
