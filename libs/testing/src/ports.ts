// The scripts need ports before any package is installed, so they own the one function that finds them.
export { freePort } from '#scripts/processes/ports.mjs';
