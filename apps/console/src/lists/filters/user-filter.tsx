import { useId, useState, type KeyboardEvent, type ReactNode } from 'react';

import { FoundText, type Found } from '../../search/found';
import { LEAST, useSearch } from '../../search/use-search';
import { T } from '../../texts';
import type { Filters } from './filters';
import { useUser } from '../names';

interface UserFilterProps {
  readonly filters: Filters;
}

/** Narrows a list to one customer, who is looked for by name, e-mail or id. */
export function UserFilter({ filters }: UserFilterProps): ReactNode {
  const user = filters.of('user');
  const set = (id: string): void => filters.set('user', id);
  return user === '' ? <UserPicker onPick={set} /> : <Picked user={user} onRemove={() => set('')} />;
}

interface PickedProps {
  readonly user: string;
  readonly onRemove: () => void;
}

function Picked({ user, onRemove }: PickedProps): ReactNode {
  const { data } = useUser(user);
  const name = data?.name ?? data?.email ?? data?.human_id ?? T.oneUser;
  return (
    <button type="button" className="chip" onClick={onRemove} aria-label={T.without(name)}>
      {name} <span aria-hidden="true">×</span>
    </button>
  );
}

function UserPicker({ onPick }: { readonly onPick: (id: string) => void }): ReactNode {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const { found, asked, isSearching } = useSearch(typed);
  const users = found.filter(({ object_type }) => object_type === 'user');
  const isOpen = typed.trim().length >= LEAST && asked.length >= LEAST;
  const at = Math.min(chosen, Math.max(0, users.length - 1));
  const type = (text: string): void => {
    setTyped(text);
    setChosen(0);
  };
  const pressed = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const one = users[at];
    if (step !== undefined) setChosen((at + step + users.length) % Math.max(1, users.length));
    else if (event.key === 'Escape') type('');
    else if (event.key === 'Enter' && one !== undefined && !isSearching) onPick(one._id);
    else return;
    event.preventDefault();
  };
  return (
    <div className="filter picker">
      <label htmlFor={id}>{T.subscriptions.customer}</label>
      <input
        id={id}
        type="text"
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && users.length > 0 ? optionId(`${id}-list`, at) : undefined}
        placeholder={T.lists.customerHelp}
        autoComplete="off"
        spellCheck={false}
        maxLength={128}
        value={typed}
        onKeyDown={pressed}
        onChange={({ target }) => type(target.value)}
        onBlur={() => type('')}
      />
      <Users id={`${id}-list`} users={isOpen ? users : []} at={at} onPick={onPick} />
      <span role="status" className={isOpen && !isSearching && users.length === 0 ? 'nobody' : 'unseen'}>
        {isOpen && !isSearching && T.lists.customersFound(users.length)}
      </span>
    </div>
  );
}

interface UsersProps {
  readonly id: string;
  readonly users: readonly Found[];
  readonly at: number;
  readonly onPick: (id: string) => void;
}

function Users({ id, users, at, onPick }: UsersProps): ReactNode {
  return (
    <div id={id} role="listbox" aria-label={T.nav.users} hidden={users.length === 0}>
      {users.map((one, index) => (
        <UserOption
          key={one._id}
          id={optionId(id, index)}
          found={one}
          isChosen={index === at}
          onPick={() => onPick(one._id)}
        />
      ))}
    </div>
  );
}

interface UserOptionProps {
  readonly id: string;
  readonly found: Found;
  readonly isChosen: boolean;
  readonly onPick: () => void;
}

/** Keeps the focus in the field, which would otherwise close the list before the click. */
function UserOption({ id, found, isChosen, onPick }: UserOptionProps): ReactNode {
  return (
    <div
      id={id}
      role="option"
      aria-selected={isChosen}
      className="search-option"
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPick}
    >
      <FoundText found={found} />
    </div>
  );
}

function optionId(list: string, at: number): string {
  return `${list}-${String(at)}`;
}
