import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

import { moment } from '../../app/format';
import { useClient } from '../../app/session';
import { CreateButton } from '../../forms/create-button';
import { EditButton } from '../../forms/edit-button';
import { ClockPanel } from '../../picture/clock-panel';
import { T } from '../../texts';
import { Note, PageHead, Trouble } from '../../ui/parts';

const MOST = 50;
const MOVING_MS = 400;

/** Lists every test clock with its controls. */
export default function Clocks(): ReactNode {
  const client = useClient();
  const { data, error } = useQuery({
    queryKey: ['/test_clocks'],
    queryFn: () => client.get('/test_clocks', { params: { query: { size: MOST } } }),
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === 'advancing') === true ? MOVING_MS : false,
  });
  return (
    <>
      <PageHead title={T.nav.test_clocks} lead={T.clocks.lead}>
        <CreateButton kind="test_clocks" />
      </PageHead>
      <Trouble error={error} />
      {data === undefined && error === null && <Note>{T.loading}</Note>}
      {data?.length === 0 && <Note>{T.clocks.empty}</Note>}
      {data?.map((clock) => (
        <ClockPanel key={clock._id} clock={clock} next={null} title={clock.name ?? T.unnamed}>
          <span className="quiet small">{T.clocks.made(moment(clock.created))}</span>
          <Link href={`/users?test_clock=${clock._id}`} className="small">
            {T.nav.users}
          </Link>
          <Link href={`/?clock=${clock._id}`} className="small">
            {T.nav.money}
          </Link>
          <EditButton kind="test_clocks" record={clock} />
        </ClockPanel>
      ))}
    </>
  );
}
