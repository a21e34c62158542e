import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const folder = mkdtempSync(join(tmpdir(), 'commerce-test-choices-'));
const builds = join(folder, 'builds');

/** A program in the folder that the starts have on their PATH beside Node. */
function program(name: string, script: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
}

beforeAll(() => {
  for (const name of ['cmake', 'cc']) program(name, 'exit 0');
  // The last argument is the folder to install into.
  program(
    'cargo',
    `echo build >> ${builds}; /bin/sleep 2; for root; do :; done; /bin/mkdir -p "$root/bin"; ` +
      `printf '#!/bin/sh\\nexit 0\\n' > "$root/bin/secantusd-rs"; /bin/chmod +x "$root/bin/secantusd-rs"`,
  );
});

afterAll(() => rmSync(folder, { recursive: true }));

const FIND = `
  const { findMongoServer } = await import('./dist/libs/stack/src/databases/mongodb-choices.js');
  const { Processes } = await import('./dist/libs/stack/src/processes/processes.js');
  const processes = new Processes({ log: () => undefined });
  const { kind } = await findMongoServer({ processes, say: (text) => console.log(text) });
  console.log('found ' + kind);
`;

/** The output of a start that has no database server. */
async function findServer(): Promise<string[]> {
  const env = {
    PATH: [folder, dirname(process.execPath)].join(':'),
    XDG_CACHE_HOME: folder,
    MONGOMS_DOWNLOAD_MIRROR: 'http://127.0.0.1:1',
  };
  const args = ['--input-type=module', '--eval', FIND];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, timeout: 60_000 });
  return stdout.trim().split('\n');
}

test('Two starts that find no database server build one', async () => {
  const said = await Promise.all([findServer(), findServer()]);
  expect(said.map((lines) => lines.at(-1))).toEqual(['found secantusd-rs', 'found secantusd-rs']);
  expect(readFileSync(builds, 'utf8')).toBe('build\n');
  expect(said.flat().filter((line) => line.startsWith('waiting for another start'))).toHaveLength(1);
}, 90_000);
