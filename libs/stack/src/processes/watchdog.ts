/**
 * A tiny process beside a script that started others, from which it reads lines of JSON. When the pipe closes without
 * `done`, the script was killed before it could clean up: the watchdog ends its children and removes its folders.
 */
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';

import { endInOrder, identify, type StagedProcess } from '#scripts/system/identity.mjs';

/** `add` and `drop` are pids, `remove` is a folder. */
export type WatchdogMessage =
  | { readonly add: number; readonly stage: number }
  | { readonly drop: number }
  | { readonly remove: string }
  | { readonly done: true };

const children = new Map<number, StagedProcess>();
const folders: string[] = [];
let done = false;

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line) as WatchdogMessage;
  if ('add' in message) children.set(message.add, { ...identify(message.add), stage: message.stage });
  else if ('drop' in message) children.delete(message.drop);
  else if ('remove' in message) folders.push(message.remove);
  else done = true;
}

if (!done) await endInOrder([...children.values()]);
for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
