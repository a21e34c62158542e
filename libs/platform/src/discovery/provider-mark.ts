import type { Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';

/** A decorator for providers of one kind, which also finds them. */
export interface ProviderMark<T> {
  /** Marks a provider; a module lists it, and nothing else is needed. */
  (): (provider: Type<T>) => void;
  /** The marked providers of all modules of this process. */
  in(discovery: DiscoveryService): readonly T[];
}

/** Lets a lib call providers of libs above it, which it cannot import. */
export function providerMark<T>(): ProviderMark<T> {
  const decorator = DiscoveryService.createDecorator();
  const mark = () => (provider: Type<T>) => void decorator()(provider);
  return Object.assign(mark, {
    in: (discovery: DiscoveryService): readonly T[] =>
      discovery.getProviders({ metadataKey: decorator.KEY }).map(({ instance }) => instance as T),
  });
}
