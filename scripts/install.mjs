/** Installs the packages of package-lock.json, unless node_modules already holds exactly those. */
import './system/node-version.mjs';
import { Processes } from './processes/processes.mjs';
import { ensurePackages } from './setup/packages.mjs';
import { createLog, runScript } from './system/report.mjs';

await runScript(async () => {
  const log = createLog(['Packages']);
  const processes = new Processes({ log });
  await ensurePackages({ processes, log }).finally(() => processes.stop());
});
