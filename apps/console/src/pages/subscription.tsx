import type { ReactNode } from 'react';

export default function Page(_: Record<string, string>): ReactNode {
  return null;
}
