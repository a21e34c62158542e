import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';

import { DAY_MS } from '../app/clock';
import { moment } from '../app/format';
import { useClient } from '../app/session';
import { T } from '../texts';
import { Icon } from '../ui/icon';
import { Badge, Button, Section, Trouble } from '../ui/parts';
import type { TestClock } from './subscription-history';

/** The pause between two steps, which lets the user see the effect of each. */
const BEAT_MS = 900;

interface ClockPanelProps {
  readonly clock: TestClock;
  /** The date of the next event, to which a step leads. */
  readonly next: Date | null;
  readonly title?: string;
  readonly children?: ReactNode;
}

/** Advances a test clock: by one charge, repeatedly, or to a day. */
export function ClockPanel({ clock, next, title = T.clock.title, children }: ClockPanelProps): ReactNode {
  const time = Number(clock.frozen_time);
  const target = next !== null && Number(next) > time ? Number(next) : time + 30 * DAY_MS;
  const advance = useAdvance(clock);
  const [isPlaying, setPlaying] = useState(false);
  const isMoving = clock.status !== 'ready' || advance.isPending;
  usePlaying(isPlaying && !isMoving && advance.error === null, time, () => advance.mutate(target));
  return (
    <Section title={title} aside={<Badge value={clock.status} />}>
      <div className="clock">
        <span className="clock-face">{moment(time)}</span>
        <Button onClick={() => setPlaying(!isPlaying)} aria-pressed={isPlaying} primary>
          <Icon name={isPlaying ? 'pause' : 'play'} />
          {isPlaying ? T.clock.pause : T.clock.play}
        </Button>
        <Button busy={isMoving} onClick={() => advance.mutate(target)}>
          <Icon name="step" />
          {T.clock.step}
        </Button>
        <Leap time={time} isMoving={isMoving} leap={(to) => advance.mutate(to)} />
        {children}
      </div>
      <Trouble error={advance.error} />
    </Section>
  );
}

interface LeapProps {
  readonly time: number;
  readonly isMoving: boolean;
  readonly leap: (to: number) => void;
}

function Leap({ time, isMoving, leap }: LeapProps): ReactNode {
  const [to, setTo] = useState('');
  const day = to === '' ? dayOf(time + 90 * DAY_MS) : to;
  return (
    <form
      className="actions"
      onSubmit={(event) => {
        event.preventDefault();
        leap(Date.parse(day));
        setTo('');
      }}
    >
      <input
        type="date"
        aria-label={T.clock.leapTo}
        min={dayOf(time + DAY_MS)}
        value={day}
        onChange={(event) => setTo(event.target.value)}
      />
      <Button type="submit" busy={isMoving}>
        <Icon name="leap" />
        {T.clock.leap}
      </Button>
    </form>
  );
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

function useAdvance(clock: TestClock) {
  const client = useClient();
  const cache = useQueryClient();
  const params = { path: { id: clock._id } };
  // Rereads all data when the clock has arrived.
  const before = useRef(clock.status);
  useEffect(() => {
    if (before.current === 'advancing' && clock.status === 'ready') {
      cache.invalidateQueries().catch(() => undefined);
    }
    before.current = clock.status;
  }, [cache, clock.status]);
  return useMutation({
    mutationFn: (to: number) =>
      client.post('/test_clocks/{id}/advance', { params, body: { frozen_time: Math.round(to) } }),
    onSuccess: (moved) => {
      cache.setQueryData(['/test_clocks/{id}', clock._id], moved);
      // The clock may have arrived already.
      return cache.invalidateQueries();
    },
  });
}

/** While playing, advances the clock again after each arrival. */
function usePlaying(isReady: boolean, time: number, step: () => void): void {
  const onBeat = useEffectEvent(step);
  useEffect(() => {
    if (!isReady) return undefined;
    const timer = setTimeout(onBeat, BEAT_MS);
    return () => clearTimeout(timer);
  }, [isReady, time]);
}
