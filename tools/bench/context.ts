import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePorts } from '../scripts/stack/ports.mjs';
import { waitUntilReady } from '../scripts/stack/readiness.mjs';
import { StartError } from '../scripts/stack/report.mjs';
import { ROOT } from '../scripts/stack/settings.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));

/**
 * How long a run takes: `rounds` pairs that count, of `ms` each where time is what limits a round, of `things`
 * deliveries or subscriptions where their number does.
 *
 * @typedef {{rounds: number, ms: number, things: number}} Scale
 *
 * What a benchmark works with.
 *
 * @typedef {object} Context
 * @property {import('../scripts/stack/stack.mjs').Stack} stack
 * @property {import('mongoose').mongo.Db} db the service's database
 * @property {Scale} scale
 * @property {string} dataDir the run's own folder
 * @property {string} company id
 * @property {Record<string, string>} admin headers of a service account
 * @property {(method: string, path: string, body?: object) => Promise<any>} call
 *   asks the API as that account; gives the body of a 200, throws otherwise
 * @property {(text: string) => void} say
 * @property {(name: string, script: string, env: NodeJS.ProcessEnv) =>
 *   Promise<{url: string, child: import('../scripts/stack/child.mjs').Child}>} startServer
 *   starts a script of this folder that listens on BENCH_PORT and answers GET /health
 * @property {(script: string, args: string[]) => Promise<any>} runScript
 *   runs a script of this folder to its end; gives the JSON object that it printed
 */

/**
 * @param {{stack: object, db: object, processes: import('../scripts/stack/processes.mjs').Processes,
 *   log: import('../scripts/stack/report.mjs').Log, dataDir: string, scale: Scale, say: (text: string) => void}} parts
 * @returns {Promise<Context>}
 */
export async function makeContext({ stack, db, processes, log, dataDir, scale, say }) {
  const run = async (path, args) => {
    const { code, output } = await processes.run(process.execPath, [path, ...args], {
      cwd: ROOT,
      env: stack.env,
      onLine: () => undefined,
    });
    if (code !== 0) throw new StartError(`${path} failed:\n${output}`);
    return JSON.parse(output.slice(output.search(/^\{/m)));
  };
  const runScript = (script, args) => run(join(HERE, script), args);
  const startServer = async (name, script, env) => {
    const [port] = await freePorts(1);
    const child = processes.start({
      name,
      stage: 2,
      command: process.execPath,
      args: [join(HERE, script)],
      env: { ...stack.env, ...env, BENCH_PORT: String(port) },
      cwd: ROOT,
      logFile: join(dataDir, 'logs', `${name}.log`),
    });
    const url = `http://127.0.0.1:${port}`;
    await waitUntilReady(child, `${url}/health`, log);
    return { url, child };
  };
  const cli = join(ROOT, 'dist/apps/cli/src/main.js');
  const founded = await run(cli, ['company:create', '--name', 'Benchmarks', '--json']);
  const admin = {
    'content-type': 'application/json',
    'x-service-api-key': founded.api_key,
    authorization: `Bearer ${founded.service_key}`,
  };
  const call = async (method, path, body) => {
    const response = await fetch(`${stack.uris.api}${path}`, {
      method,
      headers: admin,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
  return { stack, db, scale, dataDir, company: founded.company, admin, call, startServer, runScript, say };
}
