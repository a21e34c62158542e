import { connect } from 'node:net';

import { idIn, type Client } from '@commerce/testing';

/** The first part of the paths of this tool's endpoints, which identifies its webhooks. */
export const LISTEN_PATH = 'npm-run-listen';

interface Listed {
  readonly _id: { readonly $oid: string };
  readonly endpoint: string;
}

const PAGE_SIZE = 100;
const PATIENCE_MS = 1000;

/** Deletes the webhooks of runs that were killed: their ports are closed. Returns how many there were. */
export async function removeLeftovers(client: Client): Promise<number> {
  const left: Listed[] = [];
  for await (const webhook of allWebhooks(client))
    if (isOwn(webhook) && !(await isListening(webhook))) left.push(webhook);
  for (const webhook of left) await client.delete(`/webhooks/${idIn(webhook)}`);
  return left.length;
}

async function* allWebhooks(client: Client): AsyncGenerator<Listed> {
  for (let last: Listed | undefined; ;) {
    const after: Record<string, string> = last === undefined ? {} : { after: idIn(last) };
    const page = await client.read<Listed[]>('/webhooks', { size: PAGE_SIZE, ...after });
    yield* page;
    last = page.at(-1);
    if (last === undefined || page.length < PAGE_SIZE) return;
  }
}

function isOwn({ endpoint }: Listed): boolean {
  const { hostname, pathname } = new URL(endpoint);
  return hostname === '127.0.0.1' && pathname.startsWith(`/${LISTEN_PATH}/`);
}

function isListening({ endpoint }: Listed): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(endpoint).port), timeout: PATIENCE_MS });
    const end = (answer: boolean) => (): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(false));
  });
}
