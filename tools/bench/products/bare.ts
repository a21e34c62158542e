import type { BenchContext } from '../context.js';
import { copyIndexes } from '../measure/collections.js';

/**
 * Starts the bare side, which writes where the same indexes have to be maintained; `pattern` is the id of a product that
 * what it writes is like.
 */
export async function startBare(
  context: BenchContext,
  pattern: string,
): ReturnType<BenchContext['startServer']> {
  await copyIndexes(context.db, 'products', 'bare_products');
  await copyIndexes(context.db, 'search_texts', 'bare_search_texts');
  return context.startServer('bare', 'products/bare-server.js', {
    BENCH_COMPANY: context.company,
    BENCH_PATTERN: pattern,
  });
}
