/** Makes the types of the client, which lint and the client's package need. */
import './system/node-version.mjs';
import { ensureClientTypes } from './setup/client-types.mjs';
import { runScript } from './system/report.mjs';

await runScript(ensureClientTypes);
