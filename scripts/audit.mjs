/**
 * The second half of `npm run audit`: nothing that is shipped may have a known hole. A registry that does not say what
 * is known is reported, and is no failure.
 */
import './system/node-version.mjs';
import { spawnSync } from 'node:child_process';
import { ROOT } from './system/settings.mjs';

/** @typedef {{metadata?: {vulnerabilities?: object}, vulnerabilities?: Record<string, {severity: string}>, message?: string}} Report */

const options = /** @type {const} */ ({ cwd: ROOT, encoding: 'utf8', timeout: 60_000 });
const { status, stdout, error } = spawnSync('npm', ['audit', '--omit=dev', '--json'], options);
const { metadata, vulnerabilities = {}, message } = parsed(stdout ?? '');
if (metadata?.vulnerabilities === undefined) {
  const why = error?.message ?? message?.split(' - ')[0] ?? `npm audit ended with ${String(status)}`;
  process.stdout.write(
    `Known holes: NOT CHECKED. The registry does not answer which packages have known holes (${why}).\n` +
      'Run `npm run audit` again where it does.\n',
  );
} else {
  for (const [name, { severity }] of Object.entries(vulnerabilities))
    process.stdout.write(`Known hole: ${name} (${severity})\n`);
  if (status === 0) process.stdout.write('Known holes: none, says the registry\n');
  else process.exit(1);
}

/**
 * @param {string} text
 * @returns {Report}
 */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
