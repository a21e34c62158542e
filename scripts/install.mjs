/** Installs the packages of package-lock.json, unless node_modules already holds exactly those. */
import './system/node-version.mjs';
import { ensurePackages } from './setup/packages.mjs';
import { createLog, runScript } from './system/report.mjs';

await runScript(() => ensurePackages(createLog([])));
