import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { adminCommand } from '#scripts/stack/admin-command.mjs';
import { startStack } from '#scripts/stack/stack.mjs';
import { ROOT } from '#scripts/system/settings.mjs';
import type { ToolContext } from '#scripts/tool.mjs';

import { schemathesis } from './schemathesis.js';

/** Seconds of each run; together they are what CI has for it. */
const WITH_CREDENTIALS = 50;
const WITHOUT = 20;

/** A reply that the document does not describe, or an error of the service itself. */
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];

interface Keys {
  readonly api_key: string;
  readonly service_key: string;
}

/**
 * `npm run fuzz [-- --seed N]`: schemathesis makes requests from openapi.json, good and bad, and compares each reply
 * with it, over all routes, with the keys of an admin and without any. It brings a service of its own. Exits with 1
 * when anything was answered with 5xx or otherwise than documented. Further arguments go to schemathesis.
 */
export async function main({ args, env, processes, log }: ToolContext): Promise<number> {
  const command = await schemathesis({ processes, log });
  if (command === null) return 0;
  const stack = await startStack({
    dataDir: mkdtempSync(join(realpathSync(tmpdir()), 'commerce-fuzz-')),
    ephemeral: true,
    env: ownEnv(env),
    owner: processes,
    log,
  });
  try {
    const context = { processes, env: stack.env };
    const keys = (await adminCommand(context, ['seed:demo'], 'The demo company could not be made')) as Keys;
    const credentials = [
      ...['--header', `X-Service-Api-Key: ${keys.api_key}`],
      ...['--header', `Authorization: Bearer ${keys.service_key}`],
    ];
    const run = async (headers: readonly string[], seconds: number): Promise<number> => {
      log('Fuzzing', `${String(seconds)} s ${headers.length > 0 ? 'with' : 'without'} credentials`);
      const options = optionsFor(stack.uris.api, seconds);
      const all = ['run', join(ROOT, 'openapi.json'), ...options, ...headers, ...args];
      return (await processes.run(command, all, { cwd: tmpdir(), env })).code;
    };
    const codes = [await run(credentials, WITH_CREDENTIALS), await run([], WITHOUT)];
    return codes.every((code) => code === 0) ? 0 : 1;
  } finally {
    await stack.stop();
  }
}

function optionsFor(url: string, seconds: number): string[] {
  return [
    ...['--url', url, '--checks', CHECKS.join(','), '--max-time', String(seconds)],
    // One worker: the parser of Python 3.11 breaks when several threads use it.
    ...['--phases', 'examples,coverage,fuzzing', '--workers', '1', '--request-timeout', '20'],
    ...['--suppress-health-check', 'all', '--generation-database', 'none', '--warnings', 'off'],
    ...['--continue-on-failure', '--no-shrink', '--no-color', '--output-sanitize', 'true'],
  ];
}

/** No limit stands in the way: what is to be seen is what lies behind them. */
function ownEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const foreign =
    /^(MONGODB_URI|REDIS_URL|DATA_DIR|.*PORT|STRIPE_.*|WEBHOOK_.*|RATE_LIMIT_.*|SWEEP_.*|SANDBOX_.*)$/;
  const kept = Object.entries(env).filter(([name]) => !foreign.test(name));
  const limits = { RATE_LIMIT_PER_SECOND: '0', AUTH_FAILURES_PER_MINUTE: '0' };
  return { ...Object.fromEntries(kept), ...limits, NODE_ENV: 'test', LOG_LEVEL: 'error' };
}
