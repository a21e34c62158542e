import { useEffect, useState } from 'react';

/** The value as it was when it last stayed the same for so long. */
export function useRested<T>(value: T, pauseMs: number): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return rested;
}
