import { SetMetadata, applyDecorators, Injectable } from '@nestjs/common';

export const SWEEPS = 'commerce:sweeps';

/** Looks in the database for what is due and was not done; runs at start and then about once in every interval. */
export interface Sweep {
  run(): Promise<void>;
}

/** Marks a provider of the worker as a sweep. A sweep never overlaps itself within one worker. */
export function Sweeps(name: string): ClassDecorator {
  return applyDecorators(Injectable(), SetMetadata(SWEEPS, name));
}
