import type { Billed } from './backlog.js';

/** The memory limit of a process, in MiB. */
const MOST_RESIDENT = 300;

/** The permitted deviation of a worker from an equal share. */
const TOLERANCE = 0.2;

export interface Worker {
  readonly name: string;
  readonly port: number;
  readonly pid: number;
}

export interface Measured extends Billed {
  readonly workers: readonly (Worker & { readonly charges: number })[];
  readonly memory: readonly { readonly name: string; readonly mib: number }[];
  readonly seconds: number;
  /** The machine's runnable processes, before and after. */
  readonly load: readonly number[];
}

/** A table for people, and the errors. */
export function reportOf(measured: Measured): { readonly lines: string[]; readonly wrong: string[] } {
  const { workers, memory, seconds, due, load, charged } = measured;
  const most = new Map(memory.map(({ name, mib }) => [name, mib.toFixed(0)]));
  const rows = workers.map(
    ({ name, charges }) =>
      `| ${name} | ${String(charges)} | ${percent(charges / due)} | ${most.get(name) ?? ''} |`,
  );
  const rest = memory.filter(({ name }) => workers.every((worker) => worker.name !== name));
  return {
    lines: [
      '| process | charges | share | most resident memory, MiB |',
      '|---|---|---|---|',
      ...rows,
      ...rest.map(({ name, mib }) => `| ${name} | | | ${mib.toFixed(0)} |`),
      '',
      `${String(charged)} charges in ${seconds.toFixed(0)} s, ${(due / seconds).toFixed(0)} a second;`,
      `load of the machine ${load.map((one) => one.toFixed(1)).join(' before, ')} after`,
    ],
    wrong: wrongWith(measured),
  };
}

function wrongWith({ workers, memory, due, payments, twice, charged }: Measured): string[] {
  const equal = due / workers.length;
  return [
    ...(payments === due ? [] : [`${String(payments)} payments of ${String(due)} due subscriptions`]),
    ...(charged === due ? [] : [`the provider charged ${String(charged)} times`]),
    ...(twice === 0 ? [] : [`${String(twice)} subscriptions were billed more than once`]),
    ...workers
      .filter(({ charges }) => Math.abs(charges - equal) > TOLERANCE * equal)
      .map(({ name, charges }) => `${name} made ${String(charges)} of ${String(due)} charges`),
    ...memory
      .filter(({ mib }) => mib > MOST_RESIDENT)
      .map(({ name, mib }) => `${name} took ${mib.toFixed(0)} MiB; ${String(MOST_RESIDENT)} is the most`),
  ];
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
