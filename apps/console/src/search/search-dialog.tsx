import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useLocation } from 'wouter';

import { T } from '../texts';
import { Icon } from '../ui/icon';
import { Trouble } from '../ui/parts';
import { FoundText, pathOf, type Found } from './found';
import { LEAST, useSearch } from './use-search';

interface SearchDialogProps {
  readonly onClose: () => void;
}

/** One field for records of every kind; the arrow keys choose among the results, Enter opens one. */
export default function SearchDialog({ onClose }: SearchDialogProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const [, navigate] = useLocation();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const { found, asked, isSearching, error } = useSearch(typed);
  const list = useId();
  useEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal();
  }, []);
  const at = Math.min(chosen, Math.max(0, found.length - 1));
  const open = (one: Found | undefined): void => {
    if (one === undefined) return;
    onClose();
    navigate(pathOf(one));
  };
  const pressed = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setChosen((at + step + found.length) % Math.max(1, found.length));
    else if (event.key === 'Enter' && !isSearching) open(found[at]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      className="search"
      aria-label={T.search.title}
      onClose={onClose}
      onClick={({ target }) => {
        if (target === dialog.current) onClose();
      }}
    >
      <SearchField
        {...{ list, typed }}
        chosen={found.length > 0 ? optionId(list, at) : undefined}
        onKeyDown={pressed}
        onType={(text) => {
          setTyped(text);
          setChosen(0);
        }}
      />
      <Trouble error={error} />
      <Results {...{ list, found, at }} onOpen={open} onPoint={setChosen} />
      <p className="search-foot quiet small" role="status">
        {statusOf(asked, found.length, isSearching)}
      </p>
    </dialog>
  );
}

interface SearchFieldProps {
  readonly list: string;
  readonly typed: string;
  /** The id of the chosen result. */
  readonly chosen: string | undefined;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onType: (text: string) => void;
}

function SearchField({ list, typed, chosen, onKeyDown, onType }: SearchFieldProps): ReactNode {
  return (
    <div className="search-field">
      <Icon name="search" />
      <input
        type="text"
        role="combobox"
        aria-label={T.search.label}
        aria-expanded={chosen !== undefined}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={chosen}
        placeholder={T.search.label}
        autoComplete="off"
        spellCheck={false}
        maxLength={128}
        autoFocus
        value={typed}
        onKeyDown={onKeyDown}
        onChange={({ target }) => onType(target.value)}
      />
    </div>
  );
}

function statusOf(asked: string, many: number, isSearching: boolean): string {
  if (asked.length < LEAST) return T.search.covers;
  if (isSearching) return T.search.searching;
  return many === 0 ? T.search.nothing(asked) : `${T.search.found(many)} · ${T.search.help}`;
}

interface ResultsProps {
  readonly list: string;
  readonly found: readonly Found[];
  readonly at: number;
  readonly onOpen: (found: Found) => void;
  readonly onPoint: (at: number) => void;
}

function Results({ list, found, at, onOpen, onPoint }: ResultsProps): ReactNode {
  const kinds = [...new Set(found.map(({ object_type }) => object_type))];
  return (
    <div id={list} role="listbox" aria-label={T.search.results} className="search-results">
      {kinds.map((kind) => (
        <div key={kind} role="group" aria-label={T.search.kinds[kind]}>
          <h3 aria-hidden="true">{T.search.kinds[kind]}</h3>
          {found.map((one, index) =>
            one.object_type === kind ? (
              <Option
                key={one._id}
                id={optionId(list, index)}
                found={one}
                isChosen={index === at}
                onOpen={() => onOpen(one)}
                onPoint={() => onPoint(index)}
              />
            ) : null,
          )}
        </div>
      ))}
    </div>
  );
}

interface OptionProps {
  readonly id: string;
  readonly found: Found;
  readonly isChosen: boolean;
  readonly onOpen: () => void;
  readonly onPoint: () => void;
}

function Option({ id, found, isChosen, onOpen, onPoint }: OptionProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChosen) place.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    <div
      ref={place}
      id={id}
      role="option"
      aria-selected={isChosen}
      className="search-option"
      onClick={onOpen}
      onPointerMove={onPoint}
    >
      <FoundText found={found} />
    </div>
  );
}

function optionId(list: string, at: number): string {
  return `${list}-${String(at)}`;
}
