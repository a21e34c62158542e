/** Where a MongoDB server comes from when MONGODB_URI is not set: the choices, in order. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartError } from '../system/errors.mjs';
import { isProgram, onPath, tryOut } from '../system/programs.mjs';
import { elapsed } from '../system/report.mjs';
import { cacheDir, ROOT } from '../system/settings.mjs';

/**
 * @import { Processes } from '../processes/processes.mjs'
 *
 * @typedef {{kind: 'mongod' | 'secantusd-rs' | 'secantusd-py', command: string}} MongoServer
 * @typedef {{processes: Processes, say: (text: string) => void}} Context
 * @typedef {(context: Context) => MongoServer | string | Promise<MongoServer | string>} Choice
 *   gives a server, or the reason why it cannot
 */

const CRATE = { name: 'secantus-mdb', version: '0.5.3-beta.196', crates: 210 };
const WHEEL = { name: 'SecantusDB', version: '0.7.0b3' };

const places = () => ({
  downloads: join(cacheDir(), 'mongodb-binaries'),
  downloaded: join(cacheDir(), 'mongodb-binaries', 'mongod-path'),
  cargoRoot: join(cacheDir(), `secantus-${CRATE.version}`),
  rust: join(cacheDir(), `secantus-${CRATE.version}`, 'bin/secantusd-rs'),
  venv: join(cacheDir(), `secantus-py-${WHEEL.version}`),
  python: join(cacheDir(), `secantus-py-${WHEEL.version}`, 'bin/secantusd-py'),
});

/**
 * Finds or makes a server.
 *
 * @param {Context} context
 * @returns {Promise<MongoServer>}
 */
export async function findMongoServer(context) {
  /** @type {[title: string, choice: Choice][]} */
  const choices = [
    ['mongod on the PATH', fromPath],
    ['a server kept from an earlier run', fromCache],
    ["mongodb-memory-server's download", fromDownload],
    [`building ${CRATE.name} with cargo`, fromCargo],
    [`${WHEEL.name} with pip`, fromPip],
  ];
  const reasons = [];
  for (const [title, choice] of choices) {
    const result = await choice(context);
    if (typeof result !== 'string') {
      context.say(`using ${result.kind}: ${result.command}`);
      return result;
    }
    context.say(`${title}: ${result}`);
    reasons.push(`  - ${title}: ${result}`);
  }
  throw new StartError(
    'No MongoDB was found and none could be made. Set MONGODB_URI to one (a replica set, one node is enough;\n' +
      `\`docker compose up\` brings its own), or make one of these possible:\n${reasons.join('\n')}`,
  );
}

/**
 * A mongod of MongoDB's own, where this machine has one.
 *
 * @returns {string | null}
 */
export function findMongod() {
  const onThePath = onPath('mongod');
  if (onThePath && tryOut(onThePath)) return onThePath;
  const { downloaded } = places();
  const kept = existsSync(downloaded) ? readFileSync(downloaded, 'utf8') : '';
  return isProgram(kept) && tryOut(kept) ? kept : null;
}

/** @type {Choice} */
function fromPath() {
  const command = onPath('mongod');
  if (!command) return 'there is none';
  return tryOut(command) ? { kind: 'mongod', command } : `${command} --version fails`;
}

/** @type {Choice} */
function fromCache() {
  const { downloaded, rust, python } = places();
  const mongod = existsSync(downloaded) ? readFileSync(downloaded, 'utf8') : '';
  if (isProgram(mongod) && tryOut(mongod)) return { kind: 'mongod', command: mongod };
  if (isProgram(rust) && tryOut(rust)) return { kind: 'secantusd-rs', command: rust };
  if (isProgram(python) && tryOut(python, ['--help'])) return { kind: 'secantusd-py', command: python };
  return `none in ${cacheDir()}`;
}

/**
 * In a process of its own, which is ended when nothing arrives: a silent network must not hold up the start.
 *
 * @param {Context} context
 * @returns {Promise<MongoServer | string>}
 */
async function fromDownload({ processes, say }) {
  const { downloads, downloaded } = places();
  mkdirSync(downloads, { recursive: true });
  const script = fileURLToPath(new URL('./download-mongod.mjs', import.meta.url));
  const abort = new AbortController();
  let size = 0;
  let quiet = 0;
  const watch = setInterval(() => {
    const now = downloadedBytes(downloads);
    quiet = now === size ? quiet + 1 : 0;
    if (now > size) say(`downloading mongod: ${Math.round(now / 2 ** 20)} MiB`);
    size = now;
    if (quiet >= 4) abort.abort();
  }, 5_000);
  const env = { ...process.env, MONGOMS_MAX_RETRIES: '0', npm_config_strict_ssl: 'true' };
  const { code, output } = await processes
    .run(process.execPath, [script, downloads], {
      cwd: ROOT,
      env,
      signal: abort.signal,
      onLine: () => undefined,
    })
    .finally(() => clearInterval(watch));
  const last = output.trim().split('\n').at(-1) ?? '';
  if (code !== 0) return abort.signal.aborted ? 'nothing arrived for 20 s' : last;
  if (!tryOut(last)) return `${last} was downloaded but does not run here`;
  writeFileSync(downloaded, last);
  return { kind: 'mongod', command: last };
}

/**
 * The archive grows under a name that depends on the system; the folder holds little else.
 *
 * @param {string} folder
 */
function downloadedBytes(folder) {
  const sizes = readdirSync(folder).map(
    (name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/**
 * @param {Context} context
 * @returns {Promise<MongoServer | string>}
 */
async function fromCargo({ processes, say }) {
  const missing = [['cargo'], ['cmake'], ['cc', 'gcc', 'clang']].filter((names) => !names.some(onPath));
  if (missing.length > 0) return `needs ${missing.map((names) => names[0]).join(' and ')}`;
  const { cargoRoot, rust } = places();
  const since = performance.now();
  say(`building ${CRATE.name} ${CRATE.version} into ${cargoRoot}: once, about 6 minutes on two cores`);
  let compiled = 0;
  /** @param {string} line */
  const onLine = (line) => {
    if (/^\s*Compiling /.test(line)) compiled += 1;
  };
  const far = () => say(`compiled ${compiled} of about ${CRATE.crates} crates, ${elapsed(since)}`);
  const progress = setInterval(far, 10_000);
  const version = ['--version', CRATE.version, '--ignore-rust-version', '--root', cargoRoot];
  const args = ['install', '--locked', CRATE.name, ...version];
  const building = processes.run('cargo', args, { onLine });
  const { code, output } = await building.finally(() => clearInterval(progress));
  if (code !== 0 || !isProgram(rust)) return `cargo failed: ${lastError(output)}`;
  say(`built in ${elapsed(since)}`);
  return { kind: 'secantusd-rs', command: rust };
}

/**
 * @param {Context} context
 * @returns {Promise<MongoServer | string>}
 */
async function fromPip({ processes, say }) {
  const python = ['python3', 'python']
    .map(onPath)
    .find((path) => path !== null && tryOut(path, ['-c', RECENT]) !== null);
  if (!python) return 'needs Python 3.10 or newer';
  const { venv, python: command } = places();
  say(
    `installing ${WHEEL.name} ${WHEEL.version} into ${venv} (half a minute; many times slower than the others)`,
  );
  /**
   * @param {string} program
   * @param {string[]} args
   */
  const run = (program, args) => processes.run(program, args, { onLine: () => undefined });
  const made = await run(python, ['-m', 'venv', '--clear', venv]);
  if (made.code !== 0) return 'python -m venv failed (Debian: apt-get install python3-venv)';
  const pip = ['-m', 'pip', 'install', '--disable-pip-version-check', `${WHEEL.name}==${WHEEL.version}`];
  const { code, output } = await run(join(venv, 'bin/python'), pip);
  if (code !== 0 || !isProgram(command)) return `pip failed: ${lastError(output)}`;
  return { kind: 'secantusd-py', command };
}

const RECENT = 'import sys; sys.exit(sys.version_info < (3, 10))';

/** @param {string} output */
function lastError(output) {
  const lines = output.trim().split('\n');
  return lines.findLast((line) => /^\s*error/i.test(line))?.trim() ?? lines.at(-1);
}
