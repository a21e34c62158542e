import { useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react';

import { day, month } from '../app/format';
import { T } from '../texts';
import { Icon } from '../ui/icon';
import { Band, BAND_PX } from './band';
import type { Charge, Picture } from './model';
import { monthsOf, scaleOf, type Scale } from './scale';

const AXIS_PX = 34;
const NAME_PX = 4;
/** Half of the date of now and half of a month: nearer to it, a month would lie under the date. */
const NOW_PX = 46 + 24;

export interface NamedPicture {
  readonly name: string;
  readonly picture: Picture;
}

interface TimeLineProps {
  readonly bands: readonly NamedPicture[];
  readonly now: number;
  readonly currency: string;
  readonly onOpen: (charge: Charge) => void;
  /** Its legend. */
  readonly children?: ReactNode;
}

/** One or two subscriptions over time, with the past left of now and the future right of it. */
export function TimeLine({ bands, now, currency, onOpen, children }: TimeLineProps): ReactNode {
  const frame = useRef<HTMLDivElement>(null);
  const room = useRoom(frame);
  const [zoom, setZoom] = useState(1);
  const scale = scaleOf(
    bands.map(({ picture }) => picture),
    now,
    room,
    zoom,
  );
  useNowInSight(frame, scale.x(now), room);
  const height = AXIS_PX + bands.length * BAND_PX;
  return (
    <div className="time-line">
      <div ref={frame} className="time-frame" tabIndex={0} role="region" aria-label={T.picture.inside}>
        <svg width={scale.width} height={height} role="group" aria-label={T.picture.inside}>
          <Ground {...{ scale, now, height }} />
          {bands.map(({ name, picture }, index) => (
            <g key={name} transform={`translate(0 ${String(AXIS_PX + index * BAND_PX)})`}>
              <Band {...{ name, picture, scale, currency, onOpen }} />
            </g>
          ))}
        </svg>
      </div>
      {bands.length > 1 && <BandNames bands={bands} />}
      <div className="time-foot">
        {children}
        <Zoom zoom={zoom} setZoom={setZoom} />
      </div>
    </div>
  );
}

/** The names of the bands, in sight wherever the line is scrolled; the bands themselves are named for screen readers. */
function BandNames({ bands }: Pick<TimeLineProps, 'bands'>): ReactNode {
  return bands.map(({ name }, index) => (
    <span
      key={name}
      className="band-name"
      aria-hidden="true"
      style={{ top: AXIS_PX + index * BAND_PX + NAME_PX }}
    >
      {name}
    </span>
  ));
}

interface ZoomProps {
  readonly zoom: number;
  readonly setZoom: (zoom: number) => void;
}

function Zoom({ zoom, setZoom }: ZoomProps): ReactNode {
  return (
    <div className="zoom">
      <button
        type="button"
        className="ghost"
        aria-label={T.picture.closer}
        onClick={() => setZoom(zoom * 1.5)}
      >
        <Icon name="plus" />
      </button>
      <button
        type="button"
        className="ghost"
        aria-label={T.picture.farther}
        onClick={() => setZoom(Math.max(1, zoom / 1.5))}
      >
        <Icon name="minus" />
      </button>
    </div>
  );
}

interface GroundProps {
  readonly scale: Scale;
  readonly now: number;
  readonly height: number;
}

function Ground({ scale, now, height }: GroundProps): ReactNode {
  const x = scale.x(now);
  return (
    <>
      <rect className="future" x={x} y="0" width={Math.max(0, scale.width - x)} height={height} />
      {monthsOf(scale).map((at) => (
        <g key={at} className="tick">
          <line x1={scale.x(at)} x2={scale.x(at)} y1={AXIS_PX - 8} y2={height} />
          {Math.abs(scale.x(at) - x) > NOW_PX && (
            <text x={scale.x(at)} y="16" textAnchor="middle">
              {month(at)}
            </text>
          )}
        </g>
      ))}
      <g className="now">
        <line x1={x} x2={x} y1="22" y2={height} />
        <rect x={x - 46} y="2" width="92" height="20" rx="10" />
        <text x={x} y="16" textAnchor="middle">
          {day(now)}
        </text>
      </g>
    </>
  );
}

function useRoom(frame: RefObject<HTMLElement | null>): number {
  const [room, setRoom] = useState(900);
  useLayoutEffect(() => {
    const seen = frame.current;
    if (seen === null) return undefined;
    const observer = new ResizeObserver(() => setRoom(seen.clientWidth));
    observer.observe(seen);
    return () => observer.disconnect();
  }, [frame]);
  return room;
}

/** Scrolls to `now` whenever it changes, with more of the past in sight than of the future. */
function useNowInSight(frame: RefObject<HTMLElement | null>, x: number, room: number): void {
  useLayoutEffect(() => {
    frame.current?.scrollTo({ left: x - room * 0.58 });
  }, [frame, x, room]);
}
