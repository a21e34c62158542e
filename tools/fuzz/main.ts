import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { adminCommand } from '#scripts/stack/admin-command.mjs';
import { startStack } from '#scripts/stack/stack.mjs';
import { ROOT } from '#scripts/system/settings.mjs';
import type { ToolContext } from '#scripts/tool.mjs';
import { withoutSettings } from '@commerce/testing';

import { schemathesis } from './schemathesis.js';

/** Seconds of each run; together they are what CI has for it. */
const SECONDS = { user: 22, admin: 34, anybody: 14 };

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
  /** The token of an end customer. */
  readonly access_token: string;
}

/**
 * `npm run fuzz [-- --seed N]`: schemathesis makes requests from openapi.json, good and bad, and compares each reply
 * with it, over all routes, with the token of a user, with the key of an admin and without any. It brings a service of its own. Exits with 1
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
    const headersOf = {
      user: credentials(keys, keys.access_token),
      admin: credentials(keys, keys.service_key),
      anybody: [],
    };
    const run = async (who: keyof typeof SECONDS): Promise<number> => {
      const [headers, seconds] = [headersOf[who], SECONDS[who]];
      log('Fuzzing', `${String(seconds)} s as ${who}`);
      const options = optionsFor(stack.uris.api, seconds);
      const all = ['run', join(ROOT, 'openapi.json'), ...options, ...headers, ...args];
      return (await processes.run(command, all, { cwd: tmpdir(), env })).code;
    };
    const codes = [await run('user'), await run('admin'), await run('anybody')];
    return codes.every((code) => code === 0) ? 0 : 1;
  } finally {
    await stack.stop();
  }
}

function credentials({ api_key }: Keys, bearer: string): string[] {
  return ['--header', `X-Service-Api-Key: ${api_key}`, '--header', `Authorization: Bearer ${bearer}`];
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
  const limits = {
    RATE_LIMIT_PER_SECOND: '0',
    USER_RATE_LIMIT_PER_SECOND: '0',
    ADDRESS_RATE_LIMIT_PER_SECOND: '0',
    CARD_ATTEMPTS_PER_HOUR: '0',
    AUTH_FAILURES_PER_MINUTE: '0',
  };
  return { ...withoutSettings(env), ...limits, NODE_ENV: 'test', LOG_LEVEL: 'error' };
}
