/** Installs what package-lock.json says, when node_modules is not so already. */
import './stack/node-version.mjs';
import { ensurePackages } from './stack/packages.mjs';
import { Processes } from './stack/processes.mjs';
import { createLog, runScript } from './stack/report.mjs';

await runScript(async () => {
  const log = createLog(['Packages']);
  const processes = new Processes({ log });
  await ensurePackages({ processes, log }).finally(() => processes.stop());
});
