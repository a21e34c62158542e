import 'reflect-metadata';

// Some versions of Node, 20.19.0 and 24.0.0 among them, do not let nest-commander (CommonJS) require Nest's ES modules
// while these are still loading.
await import('@nestjs/core');
const { runCommand } = await import('./command-line.js');

/** The longest that lingering connections may delay the exit. */
const LINGER_MS = 1000;

await runCommand(process.argv.slice(2));
setTimeout(() => process.exit(), LINGER_MS).unref();
