export * from './client.js';
export * from './receiver.js';
