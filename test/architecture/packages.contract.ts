import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

interface Entry {
  readonly version?: string;
  readonly link?: boolean;
  readonly integrity?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

type Lock = Readonly<Record<string, Entry>>;

const lock = (JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Lock }).packages;

const run = promisify(execFile);

/** The settings that `npm test` passes to its children must not affect the npm that a test starts. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));

/** Each npm process takes a second by itself. */
const LONGEST_MS = 180_000;

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'commerce-packages-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The folders in which Node searches for a package's dependencies, from the nearest to the root. */
function foldersFrom(path: string): string[] {
  const parent = path.lastIndexOf('/node_modules/');
  if (path === '') return ['node_modules'];
  return [`${path}/node_modules`, ...foldersFrom(parent < 0 ? '' : path.slice(0, parent))];
}

describe('package-lock.json', () => {
  it('has the digest of every package', () => {
    const packages = Object.entries(lock).filter(([path, { link }]) => path !== '' && link !== true);
    expect(packages.length).toBeGreaterThan(500);
    const without = packages.filter(([, { integrity = '' }]) => !/^sha512-\S{88}$/.test(integrity));
    expect(without.map(([path]) => path)).toEqual([]);
  });

  it('has the parts of every package for all systems', () => {
    const missing = Object.entries(lock).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !foldersFrom(path).some((folder) => `${folder}/${name}` in lock))
        .map((name) => `${name}, for ${path}`),
    );
    expect(missing).toEqual([]);
  });

  it.each(['linux --cpu=x64', 'linux --cpu=x64 --libc=musl', 'darwin --cpu=arm64', 'win32 --cpu=x64'])(
    'is accepted by npm ci on %s',
    async (system) => {
      const args = ['ci', '--dry-run', '--offline', '--no-progress', ...`--os=${system}`.split(' ')];
      for (const name of ['package.json', 'package-lock.json', '.npmrc'])
        copyFileSync(name, join(folder, name));
      const { stdout } = await run('npm', args, { cwd: folder, env });
      expect(stdout).toMatch(/^added \d{3,} packages/m);
    },
    LONGEST_MS,
  );
});

describe('.npmrc', () => {
  /** Installs a package whose install script leaves a file behind, and reports whether the script ran. */
  async function runsScripts(...options: string[]): Promise<boolean> {
    const [own, app] = ['own', 'app'].map((name) => mkdtempSync(join(folder, `${name}-`)));
    const scripts = { postinstall: `node -e "require('fs').writeFileSync('ran', '')"` };
    writeFileSync(join(own!, 'package.json'), JSON.stringify({ name: 'eager', version: '1.0.0', scripts }));
    await run('npm', ['pack', '--ignore-scripts', '--pack-destination', app!], { cwd: own!, env });
    writeFileSync(join(app!, 'package.json'), JSON.stringify({ name: 'app', private: true }));
    copyFileSync('.npmrc', join(app!, '.npmrc'));
    await run('npm', ['install', '--offline', ...options, './eager-1.0.0.tgz'], { cwd: app!, env });
    expect(existsSync(join(app!, 'node_modules/eager/package.json'))).toBe(true);
    return existsSync(join(app!, 'node_modules/eager/ran'));
  }

  it(
    'lets no package run a script while it is installed',
    async () => {
      expect(await runsScripts()).toBe(false);
      expect(await runsScripts('--ignore-scripts=false')).toBe(true);
    },
    LONGEST_MS,
  );

  it('is present when the image installs its packages', () => {
    const [before = ''] = readFileSync('Dockerfile', 'utf8').split(/^RUN npm ci/m);
    expect(before).toMatch(/^COPY .*\.npmrc.* \.\/$/m);
  });
});
