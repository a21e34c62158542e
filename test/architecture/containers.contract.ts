import { readFileSync } from 'node:fs';

import { parse } from 'yaml';

interface Service {
  readonly image: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly pids_limit?: number;
  readonly mem_limit?: string;
  readonly logging?: { readonly options?: Readonly<Record<string, string>> };
  readonly stop_grace_period?: string;
  readonly profiles?: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const text = readFileSync('docker-compose.yml', 'utf8');
const { services } = parse(text, { merge: true }) as { services: Record<string, Service> };
const all = Object.entries(services);

describe('docker-compose.yml', () => {
  it.each(all)('confines %s: no file, capability, process, memory or log beyond its need', (_, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      pids_limit: expect.any(Number),
      mem_limit: expect.stringMatching(/^\d+[mg]$/),
      logging: { options: { 'max-size': expect.any(String), 'max-file': expect.any(String) } },
    });
  });

  it('starts from images that are named by their digest', () => {
    const images = [...new Set(all.map(([, { image }]) => image))].filter(
      (image) => image !== 'commerce-service',
    );
    const bases = [...readFileSync('Dockerfile', 'utf8').matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    expect(images).toHaveLength(2);
    expect(new Set(bases).size).toBe(1);
    for (const image of [...images, ...bases]) expect(image).toMatch(/^[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
  });

  it('publishes on this machine only by default', () => {
    const published = all.flatMap(([, { ports = [] }]) => ports);
    expect(published).toHaveLength(2);
    for (const port of published) expect(port).toMatch(/^(127\.0\.0\.1|\$\{PUBLISH_HOST:-127\.0\.0\.1\}):/);
  });

  it.each(['api', 'worker', 'mongo'])('gives %s longer to end than the 15 s that it may take', (name) => {
    expect(Number.parseInt(services[name]?.stop_grace_period ?? '', 10)).toBeGreaterThan(15);
  });

  it('lets MongoDB have a thread for each of 50 connections of an API and of three workers', () => {
    expect(services['mongo']?.pids_limit).toBeGreaterThan(4 * 50 + 200);
  });

  it('gives the sandbox a profile, an environment and a volume of its own', () => {
    const { sandbox, ...others } = services;
    expect(sandbox?.profiles).toEqual(['sandbox']);
    expect(sandbox?.environment['NODE_ENV']).toBe('development');
    expect(Object.keys(sandbox?.environment ?? {}).join()).not.toMatch(/MONGODB|REDIS|SECRET_KEY/);
    const [volume] = sandbox?.volumes ?? [];
    expect(Object.values(others).flatMap(({ volumes = [] }) => volumes)).not.toContain(volume);
  });

  it('has no database without a password, and none that it brings itself', () => {
    const passwords = [
      ['MONGO_ROOT_PASSWORD', 1],
      ['MONGO_PASSWORD', 2],
      ['REDIS_PASSWORD', 2],
    ] as const;
    for (const [name, times] of passwords) {
      const uses = text.match(new RegExp(`\\$\\{${name}[^}]*\\}`, 'g')) ?? [];
      expect(uses).toHaveLength(times);
      for (const use of uses) expect(use).toContain(':?');
    }
  });

  it('hands every setting of .env.example on to the service', () => {
    const settings = [...readFileSync('.env.example', 'utf8').matchAll(/^#?([A-Z_]+)=/gm)];
    const names = settings.map(([, name = '']) => name).filter((name) => !name.startsWith('SANDBOX_'));
    expect(Object.keys(services['api']?.environment ?? {})).toEqual(expect.arrayContaining(names));
  });
});
