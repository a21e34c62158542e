import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';

import { now } from '../../app/clock';
import { moment } from '../../app/format';
import { useClient, useSession } from '../../app/session';
import { T } from '../../texts';
import { Drawer } from '../../ui/drawer';
import { Facts } from '../../ui/facts';
import { Badge, Button, Note, Trouble } from '../../ui/parts';
import { Secret } from '../../ui/secret';
import { endingWith, isLive, standingOf, type Key } from './key-lives';

interface KeyDrawerProps {
  readonly record: Key;
  readonly onClose: () => void;
}

/** One key: its origin, its successor and its revocation. */
export function KeyDrawer({ record, onClose }: KeyDrawerProps): ReactNode {
  const { _id, kind, made_by, successor, created, last_used, expires, revoked } = record;
  const facts = [
    [T.id, <code key="id">{_id}</code>],
    [T.records.made, moment(created)],
    [T.keys.madeBy, made_by === null ? T.keys.commandLine : <code key="by">{made_by}</code>],
    [T.keys.lastUsed, moment(last_used)],
    [T.keys.expires, expires === null ? T.keys.never : moment(expires)],
    ...(revoked === null ? [] : [[T.keys.revoked, moment(revoked)] as const]),
    ...(successor === null ? [] : [[T.keys.successor, <code key="to">{successor}</code>] as const]),
  ] as const;
  return (
    <Drawer title={T.keys.kinds[kind]} onClose={onClose}>
      <p className="badges">
        <Badge value={standingOf(record, now())} />
      </p>
      <Facts facts={facts} />
      {isLive(record, now()) && <Roll record={record} />}
      {revoked === null && <Revoke record={record} onDone={onClose} />}
    </Drawer>
  );
}

/** Creates a successor; both keys work for the chosen time. */
function Roll({ record }: { readonly record: Key }): ReactNode {
  const client = useClient();
  const { goOnWith, keys } = useSession();
  const cache = useQueryClient();
  const [ms, setMs] = useState(0);
  const rolling = useMutation({
    mutationFn: () =>
      client.post('/keys/{id}/roll', {
        params: { path: { id: record._id } },
        body: ms === 0 ? {} : { expires: now() + ms },
      }),
    onSuccess: async ({ key }) => {
      // If the session uses the rolled key, it continues with the new one.
      if (key !== null && keys.includes(record._id)) goOnWith(key);
      await cache.invalidateQueries();
    },
  });
  if (rolling.data?.key != null) return <Secret label={T.keys.newKey} text={rolling.data.key} />;
  if (record.successor !== null) return null;
  return (
    <div className="form">
      <label className="field">
        <span>{T.keys.rollEnds}</span>
        <select value={ms} onChange={({ target }) => setMs(Number(target.value))}>
          {T.keys.overlaps.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
        <span className="help">{T.keys.rollExplains}</span>
      </label>
      <Trouble error={rolling.error} />
      <div>
        <Button busy={rolling.isPending} onClick={() => rolling.mutate()}>
          {T.keys.roll}
        </Button>
      </div>
    </div>
  );
}

interface RevokeProps {
  readonly record: Key;
  readonly onDone: () => void;
}

function Revoke({ record, onDone }: RevokeProps): ReactNode {
  const [isAsked, setAsked] = useState(false);
  if (isAsked) return <Confirm record={record} onDone={onDone} onKeep={() => setAsked(false)} />;
  return (
    <div>
      <Button danger onClick={() => setAsked(true)}>
        {T.keys.revoke}
      </Button>
    </div>
  );
}

/** Shows how many keys end with it, and whether the session's own is among them. */
function Confirm({ record, onDone, onKeep }: RevokeProps & { readonly onKeep: () => void }): ReactNode {
  const client = useClient();
  const { keys, signOut } = useSession();
  const cache = useQueryClient();
  const { _id: id } = record;
  const ending = useQuery({
    queryKey: ['/keys', 'ending', id],
    queryFn: () => endingWith(client, id, now()),
    staleTime: 0,
  });
  const others = ending.data ?? [];
  const isOwn = [record, ...others].some(({ _id }) => keys.includes(_id));
  const revoking = useMutation({
    mutationFn: () => client.delete('/keys/{id}', { params: { path: { id } } }),
    onSuccess: async () => {
      if (isOwn) {
        signOut();
        return;
      }
      await cache.invalidateQueries();
      onDone();
    },
  });
  if (ending.isPending) return <Note>{T.loading}</Note>;
  return (
    <div className="form">
      <p>{T.keys.sure(others.length)}</p>
      {isOwn && (
        <p role="alert" className="alert">
          {T.keys.own}
        </p>
      )}
      <Trouble error={ending.error ?? revoking.error} />
      <div className="actions">
        <Button danger busy={revoking.isPending} onClick={() => revoking.mutate()}>
          {T.keys.confirm(others.length)}
        </Button>
        <Button onClick={onKeep}>{T.forms.keep}</Button>
      </div>
    </div>
  );
}
