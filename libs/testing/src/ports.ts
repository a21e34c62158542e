// The scripts need ports before any package is installed, so the one way to find them is theirs.
export { freePort } from '#scripts/processes/ports.mjs';
