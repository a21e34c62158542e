import { useQuery } from '@tanstack/react-query';

import { useClient } from '../app/session';

/** The lists that offer the values of a reference, or of a list of references. */
const LISTS: Readonly<
  Record<string, '/products' | '/users' | '/plans' | '/test_clocks' | '/payment_methods'>
> = {
  product: '/products',
  products: '/products',
  sub_products: '/products',
  user: '/users',
  plan: '/plans',
  plans: '/plans',
  test_clock: '/test_clocks',
  payment_method: '/payment_methods',
};

/** A record to choose: its name, with the id that distinguishes it from others. */
export interface RecordChoice {
  readonly id: string;
  readonly name: string;
}

/** The newest hundred records that a field can name; none where the console knows no list of them. */
export function useRecordChoices(field: string): readonly RecordChoice[] {
  const client = useClient();
  const path = LISTS[field];
  const { data = [] } = useQuery({
    queryKey: [path, 'choice', 100],
    queryFn: async (): Promise<readonly object[]> =>
      path === undefined ? [] : client.get(path, { params: { query: { size: 100 } } }),
    enabled: path !== undefined,
  });
  return data.map(choiceOf);
}

function choiceOf(record: object): RecordChoice {
  const { _id = '', name, email, human_id, last4 } = record as Readonly<Record<string, string | null>>;
  const id = _id ?? '';
  const short = human_id ?? id.slice(-6);
  const shown = name ?? email ?? last4;
  return { id, name: shown == null ? short : `${shown} · ${short}` };
}
