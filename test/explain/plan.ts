import type { Connection, mongo } from 'mongoose';

/** The parts of an explanation that show how a command is served. */
export interface Plan {
  readonly stages: ReadonlySet<string>;
}

/** Reads the plan that won, wherever in the answer it stands, and the stages of a pipeline that run behind it. */
export function planOf(explained: Readonly<Record<string, unknown>>): Plan {
  const stages = new Set<string>();
  walk(explained, stages);
  return { stages };
}

/** Names of what did not win, or does not say how the command is served. */
const ASIDE = new Set([
  'rejectedPlans',
  'parsedQuery',
  'command',
  'serverInfo',
  'serverParameters',
  'filter',
]);

function walk(value: unknown, stages: Set<string>): void {
  if (Array.isArray(value)) {
    for (const one of value) walk(one, stages);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (ASIDE.has(name)) continue;
    if (name === 'stage' && typeof inner === 'string') stages.add(inner);
    // A stage of a pipeline that was not left to the query planner.
    if (name === '$sort') stages.add('SORT');
    if (name !== '$match') walk(inner, stages);
  }
}

/** A search that the database explains. */
interface Search {
  readonly find: string;
  readonly filter: object;
  readonly sort: Readonly<Record<string, 1 | -1>>;
  readonly limit: number;
}

/** Has the database explain a search. The driver's own `explain` names a read concern, which a mongos refuses. */
export async function explained(
  connection: Connection,
  search: Search,
  verbosity: 'queryPlanner' | 'executionStats',
): Promise<mongo.Document> {
  return connection.getClient().db(connection.name).command({ explain: search, verbosity });
}
