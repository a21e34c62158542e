/**
 * `npm run audit`: the licences of what is shipped must be on the list below, and none of it may have a known hole.
 * A registry that does not say what is known is reported, and is no failure.
 */
import './system/node-version.mjs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './system/settings.mjs';

/** Permissive ones; the LGPL is that of libvips, which is linked dynamically. */
const LICENCES = [
  ...['MIT', 'MIT*', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0'],
  ...['Python-2.0', '(MIT OR CC0-1.0)', 'CC0-1.0', 'Unlicense', 'LGPL-3.0-or-later'],
];

/**
 * @param {string} command
 * @param {string[]} args
 */
function run(command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8' });
  return { ok: status === 0, output: `${stdout ?? ''}${stderr ?? ''}`, json: stdout ?? '' };
}

function checkLicences() {
  const checker = join(ROOT, 'node_modules/license-checker-rseidelsohn/bin/license-checker-rseidelsohn.js');
  const options = [
    '--production',
    '--excludePrivatePackages',
    '--onlyAllow',
    LICENCES.join(';'),
    '--summary',
  ];
  const { ok, output } = run(process.execPath, [checker, ...options]);
  process.stdout.write(ok ? `Licences: all on the list\n${output}` : `Licences: ${output}`);
  return ok;
}

function checkHoles() {
  const { ok, json } = run('npm', ['audit', '--omit=dev', '--json']);
  const { metadata, vulnerabilities = {} } = parsed(json);
  if (metadata?.vulnerabilities === undefined) {
    process.stdout.write('Known holes: not checked, the registry does not say what is known\n');
    return true;
  }
  for (const [name, { severity }] of Object.entries(vulnerabilities))
    process.stdout.write(`Known hole: ${name} (${severity})\n`);
  if (ok) process.stdout.write('Known holes: none\n');
  return ok;
}

/**
 * @param {string} text
 * @returns {{metadata?: {vulnerabilities?: object}, vulnerabilities?: Record<string, {severity: string}>}}
 */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

const sound = [checkLicences(), checkHoles()].every(Boolean);
process.exit(sound ? 0 : 1);
