import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const SOURCE = resolve('test/contract/invoices/judges');
const RESOLVING_MS = 180_000;
const JUDGING_MS = 600_000;

/** A rule that a document breaks. */
export interface Broken {
  readonly file: string;
  readonly judge: string;
  readonly rule: string;
  readonly text: string;
}

export interface Verdict {
  readonly broken: readonly Broken[];
  /** How many documents each judge has seen. */
  readonly seen: Readonly<Record<string, number>>;
}

/**
 * The judges' class path; null on a machine without Java or Maven, or where Maven can fetch nothing. In CI they must be
 * there.
 */
export function classPath(): string | null {
  try {
    return cachedClassPath();
  } catch (error) {
    if (process.env['CI'] === 'true') throw error;
    process.stderr.write(
      `Skipped: the published rules of electronic invoices. ${String(error).split('\n')[0]}\n`,
    );
    return null;
  }
}

/** Maven fetches the jars once; the list of them is kept for each content of pom.xml. */
function cachedClassPath(): string {
  execFileSync('javac', ['-version'], { stdio: 'ignore' });
  const pom = readFileSync(join(SOURCE, 'pom.xml'));
  const folder = join(homedir(), '.cache/commerce-service');
  const file = join(folder, `judges-${createHash('sha256').update(pom).digest('hex').slice(0, 16)}.txt`);
  if (!existsSync(file) || !readFileSync(file, 'utf8').split(delimiter).every(existsSync)) {
    mkdirSync(folder, { recursive: true });
    const args = ['-q', '-B', '-f', join(SOURCE, 'pom.xml'), 'dependency:build-classpath'];
    const { status, error, stdout } = spawnSync('mvn', [...args, `-Dmdep.outputFile=${file}.new`], {
      timeout: RESOLVING_MS,
      encoding: 'utf8',
    });
    if (status !== 0) throw error ?? new Error(`Maven cannot fetch the judges: ${stdout.trim()}`);
    writeFileSync(file, readFileSync(`${file}.new`));
  }
  return readFileSync(file, 'utf8');
}

/** Judges all documents of a folder, in one process. */
export async function judge(folder: string, jars: string): Promise<Verdict> {
  const { stdout } = await run('java', ['-cp', jars, join(SOURCE, 'Judge.java'), folder], {
    timeout: JUDGING_MS,
    maxBuffer: 64 * 1024 * 1024,
  });
  const broken: Broken[] = [];
  const seen: Record<string, number> = {};
  for (const line of stdout.split('\n').filter((one) => one !== '')) {
    const [file = '', judge = '', rule = '', text = ''] = line.split('\t');
    if (file === 'seen') seen[judge] = Number(rule);
    else broken.push({ file, judge, rule, text });
  }
  return { broken, seen };
}
