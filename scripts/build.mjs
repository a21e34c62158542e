/** `npm run build`: compiles even when nothing has changed. */
import './system/node-version.mjs';
import { ensureBuilt } from './setup/build.mjs';
import { createLog, runScript } from './system/report.mjs';

await runScript(() => ensureBuilt(createLog([]), { force: true }));
