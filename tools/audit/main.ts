import type { ToolContext } from '@commerce/stack';

interface Report {
  readonly metadata?: { readonly vulnerabilities?: object };
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string }>>;
  readonly message?: string;
}

/**
 * The second half of `npm run audit`: nothing that is shipped may have a known hole. A registry that does not say which
 * are known is reported, and is no failure.
 */
export async function main({ processes, log }: ToolContext): Promise<number> {
  log.hush?.();
  const options = { timeout: 60_000, onLine: () => undefined };
  const { code, output } = await processes.run('npm', ['audit', '--omit=dev', '--json'], options);
  const { metadata, vulnerabilities = {}, message } = reportIn(output);
  if (metadata?.vulnerabilities === undefined) {
    const why = message?.split(' - ')[0] ?? `npm audit ended with ${String(code)}`;
    process.stdout.write(
      `Known holes: NOT CHECKED. The registry does not answer which packages have known holes (${why}).\n` +
        'Run `npm run audit` again where it does.\n',
    );
    return 0;
  }
  for (const [name, { severity }] of Object.entries(vulnerabilities))
    process.stdout.write(`Known hole: ${name} (${severity})\n`);
  if (code === 0) process.stdout.write('Known holes: none, says the registry\n');
  return code;
}

/** The object that `npm audit` prints, between its warnings. */
function reportIn(output: string): Report {
  const text = /^\{[^]*^\}/m.exec(output)?.[0] ?? '{}';
  return JSON.parse(text) as Report;
}
