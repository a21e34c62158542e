import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What the demo seed remembers between runs: keys cannot be read from anywhere else. Ids as text. */
export interface DemoFile {
  readonly company: string;
  readonly api_key: string;
  readonly service_key: string;
}

/** Null when there is no such file, or it makes no sense. */
export async function readDemoFile(dataDir: string): Promise<DemoFile | null> {
  try {
    const { company, api_key, service_key } = JSON.parse(
      await readFile(join(dataDir, 'demo.json'), 'utf8'),
    ) as Record<string, unknown>;
    const texts = [company, api_key, service_key];
    if (!texts.every((text) => typeof text === 'string')) return null;
    return { company, api_key, service_key } as DemoFile;
  } catch {
    return null;
  }
}

/** Keys are secrets: only the owner may read the file. It is written whole or not at all. */
export async function writeDemoFile(dataDir: string, content: DemoFile): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const file = join(dataDir, 'demo.json');
  const draft = `${file}.${String(process.pid)}`;
  await writeFile(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, file);
}
