import { alternate } from '../measure/alternate.mjs';
import { copyIndexes } from '../measure/same-indexes.mjs';
import { PRODUCT } from './same.mjs';

/** Kept below the servers' pools, so that what is compared is work and not waiting in line. */
const CONNECTIONS = 16;
const READ_FROM = 200;

/** GET /products/<id> and POST /products against Express 5 and the driver. */
export const products = {
  key: 'a',
  name: 'products',
  title: 'Products over HTTP',
  apps: ['api'],
  env: {},

  about({ ms }) {
    return `Our API (Nest on Express 5, callers by key, rules, one renderer) against bare Express 5 with the driver that comes with
Mongoose. Both read the same ${READ_FROM} products by id and write the same document, search index included, to collections
with the same indexes, under the same write concern; the bare side knows no callers and checks nothing. The load comes
from a process of its own over ${CONNECTIONS} connections, for ${ms / 1000} s a round. It shares the cores with the servers, so the
processor time of the server process says more about its code than the rate.`;
  },

  /** @param {import('../context.mjs').Context} context */
  async run(context) {
    const { scale, say } = context;
    const ids = await makeProducts(context);
    const bare = await startBare(context, ids[0]);
    const sides = {
      ours: { url: context.stack.uris.api, headers: context.admin, pid: context.stack.pids.api },
      bare: { url: bare.url, headers: { 'content-type': 'application/json' }, pid: bare.child.pid },
    };
    const measured = [];
    for (const [kind, what, aim] of [
      ['read', 'GET /products/<id>', 0.6],
      ['create', 'POST /products', 0.5],
    ]) {
      const round = (side) => () => load(context, { ...side, kind, ids });
      const result = await alternate({
        rounds: scale.rounds,
        ours: round(sides.ours),
        bare: round(sides.bare),
        say: (text) => say(`${what}: ${text}`),
      });
      measured.push({ what, unit: 'requests', aim, result });
    }
    await bare.child.stop();
    return measured;
  },
};

async function makeProducts({ call }) {
  const ids = [];
  for (let index = 0; index < READ_FROM; index += 1) {
    const product = await call('POST', '/products', { ...PRODUCT, name: `${PRODUCT.name} ${index}` });
    ids.push(product._id.$oid);
  }
  return ids;
}

/** The bare side writes where the same indexes have to be kept. */
async function startBare(context, pattern) {
  await copyIndexes(context.db, 'products', 'bare_products');
  return context.startServer('bare', 'products/bare-server.mjs', {
    BENCH_COMPANY: context.company,
    BENCH_PATTERN: pattern,
  });
}

function load({ stack, scale, runScript }, { url, headers, pid, kind, ids }) {
  const pids = { server: pid, ...(stack.pids.MongoDB ? { database: stack.pids.MongoDB } : {}) };
  const spec = { url, headers, kind, ids, connections: CONNECTIONS, warmUpMs: 500, ms: scale.ms, pids };
  return runScript('products/load.mjs', [JSON.stringify(spec)]);
}
