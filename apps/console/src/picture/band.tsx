import type { KeyboardEvent, ReactNode } from 'react';

import { day, money, moment, words } from '../app/format';
import { T } from '../texts';
import type { Charge, ChargeState, Dot, Picture, Span } from './model';
import type { Scale } from './scale';

export const BAND_PX = 200;

const ROW = { periods: 28, charges: 100, tries: 148, events: 176 } as const;
const PERIOD_PX = 32;
/** The distance below which two amounts would overlap; the second is then placed above. */
const LABEL_PX = 60;

interface BandProps {
  readonly name: string;
  readonly picture: Picture;
  readonly scale: Scale;
  readonly currency: string;
  readonly onOpen: (charge: Charge) => void;
}

/** One subscription: its periods and, below them, its charges and their outcomes. */
export function Band({ name, picture, scale, currency, onOpen }: BandProps): ReactNode {
  const above = labelsAbove(picture.charges.map(({ at }) => scale.x(at)));
  const isFirst = (dot: Dot): boolean => !picture.charges.some(({ at }) => at === dot.at) || !dot.good;
  return (
    <g role="group" aria-label={name}>
      {picture.spans.map((span) => (
        <Period key={`${span.state}-${String(span.from)}`} span={span} scale={scale} />
      ))}
      <line
        className="rail"
        x1={scale.x(scale.from)}
        x2={scale.x(scale.to)}
        y1={ROW.charges}
        y2={ROW.charges}
      />
      {picture.dots
        .filter((dot) => dot.is !== 'try' || isFirst(dot))
        .map((dot) => (
          <Moment key={dot.key} dot={dot} x={scale.x(dot.at)} currency={currency} />
        ))}
      {picture.charges.map((charge, index) => (
        <Mark
          key={charge.key}
          {...{ charge, currency, onOpen }}
          x={scale.x(charge.at)}
          isAbove={above[index] === true}
        />
      ))}
    </g>
  );
}

/** Places overlapping amounts alternately above and below. */
function labelsAbove(places: readonly number[]): boolean[] {
  const above: boolean[] = [];
  for (const [index, x] of places.entries()) {
    const before = places[index - 1];
    above.push(before !== undefined && x - before < LABEL_PX && above[index - 1] === false);
  }
  return above;
}

function Period({ span, scale }: { readonly span: Span; readonly scale: Scale }): ReactNode {
  const [from, to] = [scale.x(span.from), scale.x(span.to)];
  const width = Math.max(2, to - from - 3);
  const label = T.picture.spans[span.state];
  return (
    <g className={`period ${span.state}`}>
      <rect x={from + 1.5} y={ROW.periods} width={width} height={PERIOD_PX} rx="7">
        <title>{`${label}: ${day(span.from)} – ${day(span.to)}`}</title>
      </rect>
      {width > 56 && (
        <text x={from + 1.5 + width / 2} y={ROW.periods + 20} textAnchor="middle">
          {label}
        </text>
      )}
    </g>
  );
}

/** The signs that distinguish the states, together with the words and not by colour alone. */
const SIGNS: Readonly<Record<ChargeState, string>> = {
  paid: 'M-4 0l3 3.5 6-7',
  refunded: 'M-1 5h2.5a3 3 0 0 0 0-7H-4M-1-5l-3 3 3 3',
  failed: 'M-4-4 4 4M4-4-4 4',
  auth: 'M0-5v6M0 4.6v.2',
  open: 'M0-5V0l4 2',
  ahead: '',
};

interface MarkProps {
  readonly charge: Charge;
  readonly x: number;
  readonly currency: string;
  readonly isAbove: boolean;
  readonly onOpen: (charge: Charge) => void;
}

function Mark({ charge, x, currency, isAbove, onOpen }: MarkProps): ReactNode {
  const { at, amount, kind, state } = charge;
  const text = money(amount, currency);
  const open = (): void => onOpen(charge);
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    open();
  };
  // Shifts the setup fee, which has the date of the first period.
  const shift = kind === 'setup' ? -15 : 0;
  return (
    <g
      className={`mark-of-charge ${state}`}
      transform={`translate(${String(x + shift)} ${String(ROW.charges)})`}
      role="button"
      tabIndex={0}
      aria-label={T.picture.charge(T.picture.kinds[kind], text, day(at), T.picture.states[state])}
      onClick={open}
      onKeyDown={press}
    >
      <circle r={kind === 'setup' ? 9 : 12} />
      <path d={SIGNS[state]} />
      {kind !== 'setup' && (
        <text y={isAbove && kind === 'period' ? -18 : 29} textAnchor="middle">
          {text}
        </text>
      )}
    </g>
  );
}

interface MomentProps {
  readonly dot: Dot;
  readonly x: number;
  readonly currency: string;
}

/** An attempt, an authentication, a refund or an event; pointing at it shows its words. */
function Moment({ dot, x, currency }: MomentProps): ReactNode {
  const { is, at, good, text } = dot;
  const what = is === 'refund' ? money(Number(text), currency) : words(text);
  const y = is === 'event' ? ROW.events : ROW.tries;
  return (
    <g className={`moment ${is} ${good ? 'good' : 'bad'}`} transform={`translate(${String(x)} ${String(y)})`}>
      <title>{`${T.picture.moments[is]}: ${what}, ${moment(at)}`}</title>
      {is === 'auth' && <path d="M0-7 7 0 0 7-7 0z" />}
      {is === 'refund' && <path d="M-5-2 0 5 5-2M0-7v11" />}
      {is === 'try' && <path d="M-4-4 4 4M4-4-4 4" />}
      {is === 'event' && <circle r="3" />}
    </g>
  );
}
