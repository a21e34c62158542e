/**
 * A tiny process beside a script that started others. It reads lines of JSON from the script:
 *   {"add": pid, "stage": n}   {"drop": pid}   {"remove": path}   {"done": true}
 * When the pipe closes without `done`, the script was killed without a chance to clean up: then what it
 * had started is ended here in the same order (highest stage first), and its throw-away folders go.
 */
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { endInOrder, identify } from './record.mjs';

const children = new Map();
const folders = [];
let done = false;

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.add) children.set(message.add, { ...identify(message.add), stage: message.stage });
  if (message.drop) children.delete(message.drop);
  if (message.remove) folders.push(message.remove);
  if (message.done) done = true;
}

if (!done) await endInOrder([...children.values()]);
for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
