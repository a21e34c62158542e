import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { identify } from '#scripts/system/identity.mjs';
import { eventually, idIn } from '@commerce/testing';

import { World } from '../world.js';

const started: ChildProcess[] = [];

/** `npm run listen` against the service of this test, which looks to it like one that `npm start` runs. */
class Listener {
  output = '';

  private constructor(private readonly child: ChildProcess) {
    started.push(child);
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
  }

  static async start(dataDir: string, ...kinds: string[]): Promise<Listener> {
    const env = { ...process.env, DATA_DIR: dataDir };
    const listener = new Listener(spawn('node', ['scripts/run.mjs', 'listen', ...kinds], { env }));
    await listener.until(/Listening at/);
    return listener;
  }

  async until(wanted: RegExp): Promise<void> {
    await eventually(
      () => this.output,
      (output) => wanted.test(output),
      40_000,
    );
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill(signal);
    await ended;
  }
}

describe('npm run listen', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'commerce-listen-'));
  let world: World;

  beforeAll(async () => {
    world = await World.start();
    const keys = { api_key: world.apiKey, service_key: world.serviceKey };
    const ports = { api: Number(new URL(world.baseUrl).port) };
    writeFileSync(join(dataDir, 'demo.json'), JSON.stringify(keys));
    writeFileSync(join(dataDir, 'stack.json'), JSON.stringify({ owner: identify(process.pid), ports }));
  });

  afterAll(async () => {
    for (const child of started) child.kill('SIGKILL');
    await world.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const webhooks = (): Promise<any[]> => world.admin.read('/webhooks');

  it('lives with records without a name, and ends its webhooks', async () => {
    const listener = await Listener.start(dataDir, 'user.created', 'user.updated');
    expect(await webhooks()).toMatchObject([{ kinds: ['user.created', 'user.updated'], verified: true }]);
    const { _id } = await world.admin.made('/users', {});
    await listener.until(/user\.created +\w{6} +signature verified/);
    await world.admin.put(`/users/${_id.$oid}`, { name: 'Ada' });
    await listener.until(/user\.updated +Ada +signature verified/);
    await listener.end('SIGTERM');
    expect(await webhooks()).toEqual([]);
  });

  it('removes the webhooks of a run that was killed, and no others', async () => {
    const killed = await Listener.start(dataDir, 'user.created', 'user.deleted');
    const { id: own } = await world.listening('user.created', '/own');
    await killed.end('SIGKILL');
    expect(await webhooks()).toHaveLength(2);
    const next = await Listener.start(dataDir, 'user.updated');
    expect(next.output).toContain('Webhooks of earlier runs removed: 1.');
    const beside = await Listener.start(dataDir, 'user.deleted');
    expect(beside.output).not.toContain('removed');
    const left = await webhooks();
    expect(left.map(idIn)).toContain(own);
    expect(left.map(({ kinds }) => kinds[0]).toSorted()).toEqual([
      ...['user.created', 'user.deleted', 'user.updated'],
    ]);
    await next.end('SIGTERM');
    await beside.end('SIGTERM');
    expect((await webhooks()).map(idIn)).toEqual([own]);
  });
});
