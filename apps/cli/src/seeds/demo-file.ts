import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The state that the demo seed keeps between runs, because keys cannot be read back. Ids as text. */
export interface DemoFile {
  readonly company: string;
  readonly api_key: string;
  readonly service_key: string;
}

/** Null when the file is missing or invalid. */
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

/** Writes the file whole or not at all. Only its owner may read it, because keys are secrets. */
export async function writeDemoFile(dataDir: string, content: DemoFile): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const file = join(dataDir, 'demo.json');
  const draft = `${file}.${String(process.pid)}`;
  await writeFile(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, file);
}
