import type { Processes } from '#scripts/processes/processes.mjs';
import { StartError } from '#scripts/system/errors.mjs';

const MINUTE_MS = 60_000;

/** Nothing else of the caller's environment is handed on: Compose prefers it to the settings of the test. */
const HANDED_ON = /^(PATH|HOME|TMPDIR|XDG_RUNTIME_DIR|DOCKER_\w+|\w+_proxy)$/i;

/** Docker's command line, used in one folder. */
export class Docker {
  private readonly env: NodeJS.ProcessEnv;

  constructor(
    private readonly processes: Processes,
    env: NodeJS.ProcessEnv,
    private readonly cwd: string,
  ) {
    this.env = Object.fromEntries(Object.entries(env).filter(([name]) => HANDED_ON.test(name)));
  }

  /** Runs a command to its end, or for the given minutes. A failure is a result like any other. */
  tried(args: readonly string[], { minutes = 5 } = {}): Promise<{ code: number; output: string }> {
    const { cwd, env } = this;
    const onLine = (): undefined => undefined;
    return this.processes.run('docker', [...args], { cwd, env, timeout: minutes * MINUTE_MS, onLine });
  }

  /** As `tried`, but fails with the output of a command that fails. */
  async run(args: readonly string[], options: { minutes?: number } = {}): Promise<string> {
    const { code, output } = await this.tried(args, options);
    if (code !== 0) throw new StartError(`docker ${args.join(' ')} failed:\n${output.slice(-6000)}`);
    return output.trim();
  }

  /** With the card provider, and without lines about progress, which would stand among the output. */
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

  /** Docker builds by its first builder where the plugin of the second is not installed; Compose has to be told. */
  async chooseBuilder(): Promise<void> {
    if (!(await this.works('buildx', 'version'))) this.env['DOCKER_BUILDKIT'] = '0';
  }
}
