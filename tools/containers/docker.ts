import { StartError } from '#scripts/system/errors.mjs';
import type { Processes } from '@commerce/stack';

const MINUTE_MS = 60_000;

/** The variables passed to Compose, which would prefer others to the settings of the test. */
const HANDED_ON = /^(PATH|HOME|TMPDIR|XDG_RUNTIME_DIR|DOCKER_\w+|\w+_proxy)$/i;

/** Docker's command line in one folder. */
export class Docker {
  private readonly env: NodeJS.ProcessEnv;

  constructor(
    private readonly processes: Processes,
    env: NodeJS.ProcessEnv,
    private readonly cwd: string,
  ) {
    this.env = Object.fromEntries(Object.entries(env).filter(([name]) => HANDED_ON.test(name)));
  }

  /** Runs a command to its end, or for at most the given minutes. A failure is an ordinary result. */
  tried(args: readonly string[], { minutes = 5 } = {}): Promise<{ code: number; output: string }> {
    const { cwd, env } = this;
    const onLine = (): undefined => undefined;
    return this.processes.run('docker', [...args], { cwd, env, timeout: minutes * MINUTE_MS, onLine });
  }

  /** As `tried`, but throws the output of a failed command. */
  async run(args: readonly string[], options: { minutes?: number } = {}): Promise<string> {
    const { code, output } = await this.tried(args, options);
    if (code !== 0) throw new StartError(`docker ${args.join(' ')} failed:\n${output.slice(-6000)}`);
    return output.trim();
  }

  /** Runs Compose with the card provider, and without progress lines, which would mix with the output. */
  compose(args: readonly string[], options: { minutes?: number } = {}): Promise<string> {
    return this.run(['compose', '--progress', 'quiet', '--profile', 'sandbox', ...args], options);
  }

  async works(...args: string[]): Promise<boolean> {
    return (await this.tried(args, { minutes: 1 })).code === 0;
  }

  /** The lines of a listing. */
  async list(args: readonly string[]): Promise<string[]> {
    return (await this.run(args)).split('\n').filter((line) => line !== '');
  }

  /** Selects Docker's first builder when the buildx plugin is missing, which Compose does not detect itself. */
  async chooseBuilder(): Promise<void> {
    if (!(await this.works('buildx', 'version'))) this.env['DOCKER_BUILDKIT'] = '0';
  }
}
