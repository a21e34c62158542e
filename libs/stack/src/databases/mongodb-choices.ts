/** Where a MongoDB server comes from when MONGODB_URI is not set: the choices, in order. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { StartError } from '#scripts/system/errors.mjs';
import { withLock } from '#scripts/system/lock.mjs';
import { elapsed } from '#scripts/system/report.mjs';
import { ROOT } from '#scripts/system/settings.mjs';

import type { Processes } from '../processes/processes.js';
import { isProgram, onPath, runs } from '../programs.js';
import { cacheDir } from '../settings.js';

export interface MongoServer {
  readonly kind: 'mongod' | 'secantusd-rs' | 'secantusd-py';
  readonly command: string;
}

interface Context {
  readonly processes: Processes;
  readonly say: (text: string) => void;
}

/** Gives a server, or the reason why it cannot. */
type Choice = (context: Context) => MongoServer | string | Promise<MongoServer | string>;

const CRATE = { name: 'secantus-mdb', version: '0.5.3-beta.196', crates: 210 };
const WHEEL = { name: 'SecantusDB', version: '0.7.0b3' };

const DOWNLOADS = join(cacheDir(), 'mongodb-binaries');
/** Holds the path of the mongod that was downloaded. */
const DOWNLOADED = join(DOWNLOADS, 'mongod-path');
const CARGO_ROOT = join(cacheDir(), `secantus-${CRATE.version}`);
const RUST = join(CARGO_ROOT, 'bin/secantusd-rs');
const VENV = join(cacheDir(), `secantus-py-${WHEEL.version}`);
const PYTHON = join(VENV, 'bin/secantusd-py');

type Choices = readonly (readonly [title: string, choice: Choice])[];

const FOUND: Choices = [
  ['mongod on the PATH', fromPath],
  ['a server kept from an earlier run', fromCache],
];

const MADE: Choices = [
  ["mongodb-memory-server's download", fromDownload],
  [`building ${CRATE.name} with cargo`, fromCargo],
  [`${WHEEL.name} with pip`, fromPip],
];

/** Finds or makes a server. One process makes it; others that start meanwhile wait for it. */
export async function findMongoServer(context: Context): Promise<MongoServer> {
  const { say } = context;
  const reasons: string[] = [];
  const make = async (): Promise<MongoServer | null> => {
    const made = fromCache();
    return typeof made === 'string' ? firstOf(MADE, context, reasons) : made;
  };
  const server =
    (await firstOf(FOUND, context, reasons)) ??
    (await withLock(join(cacheDir(), 'making'), make, () => say('waiting for another start that makes one')));
  if (server !== null) {
    say(`using ${server.kind}: ${server.command}`);
    return server;
  }
  throw new StartError(
    'No MongoDB was found and none could be made. Set MONGODB_URI to one (a replica set, one node is enough;\n' +
      `\`docker compose up\` brings its own), or make one of these possible:\n${reasons.join('\n')}`,
  );
}

/** The first server that a choice gives; the reasons of the others are added to `reasons`. */
async function firstOf(choices: Choices, context: Context, reasons: string[]): Promise<MongoServer | null> {
  for (const [title, choice] of choices) {
    const result = await choice(context);
    if (typeof result !== 'string') return result;
    context.say(`${title}: ${result}`);
    reasons.push(`  - ${title}: ${result}`);
  }
  return null;
}

/** A mongod of MongoDB's own, where this machine has one. */
export function findMongod(): string | null {
  const found = [fromPath(), fromCache()].find((one) => typeof one !== 'string' && one.kind === 'mongod');
  return typeof found === 'object' ? found.command : null;
}

function fromPath(): MongoServer | string {
  const command = onPath('mongod');
  if (command === null) return 'there is none';
  return runs(command) ? { kind: 'mongod', command } : `${command} --version fails`;
}

function fromCache(): MongoServer | string {
  const mongod = existsSync(DOWNLOADED) ? readFileSync(DOWNLOADED, 'utf8') : '';
  if (isProgram(mongod) && runs(mongod)) return { kind: 'mongod', command: mongod };
  if (isProgram(RUST) && runs(RUST)) return { kind: 'secantusd-rs', command: RUST };
  if (isProgram(PYTHON) && runs(PYTHON, ['--help'])) return { kind: 'secantusd-py', command: PYTHON };
  return `none in ${cacheDir()}`;
}

/** In a process of its own, which is ended when nothing arrives: a silent network must not hold up the start. */
async function fromDownload({ processes, say }: Context): Promise<MongoServer | string> {
  mkdirSync(DOWNLOADS, { recursive: true });
  const abort = new AbortController();
  let [size, quiet] = [0, 0];
  const watch = setInterval(() => {
    const now = downloadedBytes();
    quiet = now === size ? quiet + 1 : 0;
    if (now > size) say(`downloading mongod: ${String(Math.round(now / 2 ** 20))} MiB`);
    size = now;
    if (quiet >= 4) abort.abort();
  }, 5_000);
  const env = { ...process.env, MONGOMS_MAX_RETRIES: '0', npm_config_strict_ssl: 'true' };
  const options = { cwd: ROOT, env, signal: abort.signal, onLine: () => undefined };
  const script = fileURLToPath(new URL('./download-mongod.js', import.meta.url));
  const { code, output } = await processes
    .run(process.execPath, [script, DOWNLOADS], options)
    .finally(() => clearInterval(watch));
  const last = output.trim().split('\n').at(-1) ?? '';
  if (code !== 0) return abort.signal.aborted ? 'nothing arrived for 20 s' : last;
  if (!runs(last)) return `${last} was downloaded but does not run here`;
  writeFileSync(DOWNLOADED, last);
  return { kind: 'mongod', command: last };
}

/** The archive grows under a name that depends on the system; the folder holds little else. */
function downloadedBytes(): number {
  const sizes = readdirSync(DOWNLOADS).map(
    (name) => statSync(join(DOWNLOADS, name), { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function fromCargo({ processes, say }: Context): Promise<MongoServer | string> {
  const missing = [['cargo'], ['cmake'], ['cc', 'gcc', 'clang']].filter(
    (names) => !names.some((name) => onPath(name) !== null),
  );
  if (missing.length > 0) return `needs ${missing.map(([name]) => name).join(' and ')}`;
  const since = performance.now();
  say(`building ${CRATE.name} ${CRATE.version} into ${CARGO_ROOT}: once, about 6 minutes on two cores`);
  let compiled = 0;
  const onLine = (line: string): void => {
    if (/^\s*Compiling /.test(line)) compiled += 1;
  };
  const progress = setInterval(() => {
    say(`compiled ${String(compiled)} of about ${String(CRATE.crates)} crates, ${elapsed(since)}`);
  }, 10_000);
  const version = ['--version', CRATE.version, '--ignore-rust-version', '--root', CARGO_ROOT];
  const building = processes.run('cargo', ['install', '--locked', CRATE.name, ...version], { onLine });
  const { code, output } = await building.finally(() => clearInterval(progress));
  if (code !== 0 || !isProgram(RUST)) return `cargo failed: ${lastError(output)}`;
  say(`built in ${elapsed(since)}`);
  return { kind: 'secantusd-rs', command: RUST };
}

const RECENT = 'import sys; sys.exit(sys.version_info < (3, 10))';

async function fromPip({ processes, say }: Context): Promise<MongoServer | string> {
  const python = ['python3', 'python']
    .map(onPath)
    .find((path) => path !== null && runs(path, ['-c', RECENT]));
  if (!python) return 'needs Python 3.10 or newer';
  say(
    `installing ${WHEEL.name} ${WHEEL.version} into ${VENV} (half a minute; many times slower than the others)`,
  );
  const quiet = { onLine: () => undefined };
  const made = await processes.run(python, ['-m', 'venv', '--clear', VENV], quiet);
  if (made.code !== 0) return 'python -m venv failed (Debian: apt-get install python3-venv)';
  const pip = ['-m', 'pip', 'install', '--disable-pip-version-check', `${WHEEL.name}==${WHEEL.version}`];
  const { code, output } = await processes.run(join(VENV, 'bin/python'), pip, quiet);
  if (code !== 0 || !isProgram(PYTHON)) return `pip failed: ${lastError(output)}`;
  return { kind: 'secantusd-py', command: PYTHON };
}

function lastError(output: string): string {
  const lines = output.trim().split('\n');
  return lines.findLast((line) => /^\s*error/i.test(line))?.trim() ?? lines.at(-1) ?? '';
}
