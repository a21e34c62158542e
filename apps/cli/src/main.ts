import 'reflect-metadata';

// Some versions of Node, 20.19.0 and 24.0.0 among them, do not let nest-commander (CommonJS) require Nest's ES modules
// while these are still loading.
await import('@nestjs/core');
await import('./command-line.js');
