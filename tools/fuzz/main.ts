import { mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ROOT } from '#scripts/system/settings.mjs';
import { adminCommand, startStack, type ToolContext } from '@commerce/stack';
import { toolEnv } from '@commerce/testing';

import { schemathesis } from './schemathesis.js';

/** The seconds of each run; their sum is CI's budget. */
const SECONDS = { user: 22, admin: 34, anybody: 14 };

/** Detects replies that the document does not describe, and errors of the service itself. */
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
 * `npm run fuzz [-- --seed N]`: schemathesis sends valid and invalid requests to all routes by openapi.json and
 * compares each reply with it, with a user's token, an admin's key and no credentials. It starts its own service, exits
 * with 1 on any reply with 5xx or outside the document, and receives further arguments.
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

/** Without limits, so that requests reach the code behind them. */
function ownEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...toolEnv(env), NODE_ENV: 'test', LOG_LEVEL: 'error' };
}
