/**
 * A tiny process beside a script that started others, from which it reads lines of JSON. When the pipe closes without
 * `done`, the script was killed before it could clean up: everything it had started is then ended here in the same
 * order (highest stage first), and its temporary folders are removed.
 *
 * @typedef {{add: number, stage: number} | {drop: number} | {remove: string} | {done: true}} WatchdogMessage
 *   `add` and `drop` are pids, `remove` is a folder
 */
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { endInOrder, identify } from './identity.mjs';

/** @import { StagedProcess } from './identity.mjs' */

/** @type {Map<number, StagedProcess>} */
const children = new Map();
/** @type {string[]} */
const folders = [];
let done = false;

for await (const line of createInterface({ input: process.stdin })) {
  /** @type {WatchdogMessage} */
  const message = JSON.parse(line);
  if ('add' in message) children.set(message.add, { ...identify(message.add), stage: message.stage });
  else if ('drop' in message) children.delete(message.drop);
  else if ('remove' in message) folders.push(message.remove);
  else done = true;
}

if (!done) await endInOrder([...children.values()]);
for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
