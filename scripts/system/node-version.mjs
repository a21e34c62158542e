/** Imported first by every script: an older Node would otherwise fail with a syntax error. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

// Those left out do not let CommonJS modules require ES modules.
if (major < 20 || (major === 20 && minor < 19) || major === 21 || (major === 22 && minor < 12)) {
  process.stderr.write(
    `This service needs Node 22.12 or newer, or 20.19 or newer of Node 20; this is Node ${process.versions.node} (${process.execPath}).\n` +
      'Install a newer version (https://nodejs.org, or your package manager) and try again.\n',
  );
  process.exit(1);
}
