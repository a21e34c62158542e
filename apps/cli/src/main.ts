import 'reflect-metadata';

// Some versions of Node, 20.19.0 and 24.0.0 among them, do not let nest-commander, which is CommonJS, require Nest's
// ES modules while these are still being loaded.
await import('@nestjs/core');
await import('./command-line.js');
