import { endpointHealth, healthSince } from './endpoint-health.js';

const NOW = new Date('2026-03-02T10:20:00Z');
const at = (time: string): Date => new Date(`2026-03-0${time}:00Z`);
const attempt = (time: string, status: number | null = 200) => ({ at: at(time), status });
const delivery = (...attempts: ReturnType<typeof attempt>[]) => ({ attempts });

describe('endpointHealth', () => {
  it('is idle before the first attempt', () => {
    const { state, last_success, failing_since, hours } = endpointHealth([delivery()], NOW);
    expect({ state, last_success, failing_since }).toEqual({
      state: 'idle',
      last_success: null,
      failing_since: null,
    });
    expect(hours).toHaveLength(24);
    expect(hours[0]).toEqual({ from: healthSince(NOW), attempts: 0, failed: 0 });
    expect(hours.at(-1)?.from).toEqual(at('2T10:00'));
  });

  it('delivers while its last attempt succeeded, whatever failed before', () => {
    const recent = [
      delivery(attempt('2T09:10', 500), attempt('2T09:40')),
      delivery(attempt('2T08:59', null)),
    ];
    const health = endpointHealth(recent, NOW);
    expect(health).toMatchObject({ state: 'delivering', last_success: at('2T09:40'), failing_since: null });
    expect(health.hours.slice(-3)).toEqual([
      { from: at('2T08:00'), attempts: 1, failed: 1 },
      { from: at('2T09:00'), attempts: 2, failed: 1 },
      { from: at('2T10:00'), attempts: 0, failed: 0 },
    ]);
  });

  it('fails since the first attempt after its last success', () => {
    const recent = [
      delivery(attempt('2T09:10', 404), attempt('2T09:20', 302)),
      delivery(attempt('2T09:00')),
      delivery(attempt('1T09:00', 500), attempt('2T09:05', null)),
    ];
    expect(endpointHealth(recent, NOW)).toMatchObject({
      state: 'failing',
      last_success: at('2T09:00'),
      failing_since: at('2T09:05'),
    });
  });
});
