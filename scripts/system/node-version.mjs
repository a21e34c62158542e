/** Imported first by every script: an older Node would otherwise fail with a syntax error. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `This service needs Node 20.19 or newer; this is Node ${process.versions.node} (${process.execPath}).\n` +
      'Install a newer version (https://nodejs.org, or your package manager) and try again.\n',
  );
  process.exit(1);
}
