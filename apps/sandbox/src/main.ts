import { readConfig } from './config.js';
import { createSandbox } from './create-sandbox.js';

const say = (level: string, message: string, more: Record<string, unknown> = {}): void => {
  process.stdout.write(`${JSON.stringify({ level, time: Date.now(), app: 'sandbox', message, ...more })}\n`);
};

try {
  const config = readConfig();
  const sandbox = await createSandbox(config);
  const { directory, notices } = config;
  say('info', 'The sandbox card provider is listening', {
    url: sandbox.url,
    directory,
    notices: notices?.url ?? null,
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      sandbox.close().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
  }
} catch (error) {
  say('fatal', error instanceof Error ? error.message : String(error));
  process.exit(1);
}
