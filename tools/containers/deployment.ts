import { jsonIn } from '@commerce/stack';
import { eventually } from '@commerce/testing';

import type { Checkout } from './checkout.js';
import type { Docker } from './docker.js';

export const SERVICES = ['api', 'worker', 'sandbox', 'mongo', 'redis'] as const;
export type Service = (typeof SERVICES)[number];

/** The longest that a killed container may take to become healthy again. */
const RECOVERY_MS = 240_000;

interface Container {
  readonly RestartCount: number;
  readonly Config: { readonly Labels: Readonly<Record<string, string>> };
  readonly State: {
    readonly Pid: number;
    readonly ExitCode: number;
    readonly Health?: { readonly Status: string };
  };
}

/** The containers of one checkout, as Docker Compose runs them. */
export class Deployment {
  constructor(
    private readonly checkout: Checkout,
    private readonly docker: Docker,
  ) {}

  /** Builds the image that all services share. */
  async build(): Promise<void> {
    await this.docker.chooseBuilder();
    await this.docker.compose(['build', 'api'], { minutes: 40 });
  }

  /** Starts all services, and waits until they are healthy. */
  async up({ workers }: { readonly workers: number }): Promise<void> {
    const wait = ['--wait', '--wait-timeout', '300', '--scale', `worker=${String(workers)}`];
    await this.docker.compose(['up', '--detach', ...wait], { minutes: 10 });
  }

  /** Runs an admin command as operators do, and returns its JSON output. */
  async command(...args: string[]): Promise<unknown> {
    const output = await this.docker.compose(['run', '--rm', '-T', 'cli', ...args, '--json']);
    return jsonIn(0, output, `${args.join(' ')} failed`);
  }

  /** Runs a command in the first container of a service; fails when the command fails. */
  exec(service: Service, ...command: string[]): Promise<string> {
    return this.docker.compose(['exec', '-T', service, ...command]);
  }

  /** Kills a container's first process from outside, as the kernel does when memory runs out. */
  async kill(service: Service): Promise<void> {
    const [container] = await this.containers(service);
    const command = `process.kill(${String(container?.State.Pid)}, 'SIGKILL')`;
    const fromHost = ['run', '--rm', '--network=none', '--pid=host', '--user=0', '--entrypoint=node'];
    await this.docker.run([...fromHost, this.checkout.name, '-e', command]);
  }

  /** Waits until Docker has restarted the killed container and it is healthy. */
  async untilRecovered(service: Service): Promise<void> {
    await eventually(
      () => this.containers(service),
      (containers) =>
        containers.some(({ RestartCount }) => RestartCount > 0) &&
        containers.every(({ State }) => State.Health?.Status === 'healthy'),
      RECOVERY_MS,
      { what: `${service} to be started again`, pauseMs: () => 1000 },
    );
  }

  async stop(): Promise<void> {
    await this.docker.compose(['stop']);
  }

  async exitCodes(service: Service): Promise<number[]> {
    const containers = await this.containers(service);
    if (containers.length === 0) throw new Error(`${service} has no container`);
    return containers.map(({ State }) => State.ExitCode);
  }

  /** The last lines of the containers' logs. */
  logs(): Promise<string> {
    return this.docker.compose(['logs', '--no-color', '--tail', '20']);
  }

  private async containers(service: Service): Promise<Container[]> {
    const project = ['--filter', `label=com.docker.compose.project=${this.checkout.name}`];
    const ids = await this.docker.list([
      ...['ps', '--all', '--quiet', ...project, '--filter', `label=com.docker.compose.service=${service}`],
    ]);
    // Docker may list no container while it restarts one.
    return ids.length === 0 ? [] : (JSON.parse(await this.docker.run(['inspect', ...ids])) as Container[]);
  }
}
