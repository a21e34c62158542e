import type { ReactNode } from 'react';

const PATHS = {
  chart: 'M4 20V10m6 10V4m6 16v-7m4 7H2',
  cycle: 'M4 12a8 8 0 0 1 14-5l2 2m0-5v5h-5M20 12a8 8 0 0 1-14 5l-2-2m0 5v-5h5',
  card: 'M3 6h18v12H3zM3 10h18M7 15h4',
  page: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  bag: 'M5 8h14l-1 12H6zM9 8a3 3 0 0 1 6 0',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c1-4 4-6 8-6s7 2 8 6',
  layers: 'M12 3 3 8l9 5 9-5zM3 13l9 5 9-5',
  box: 'M3 7l9-4 9 4v10l-9 4-9-4zM3 7l9 4 9-4M12 11v10',
  tag: 'M3 3h8l10 10-8 8L3 11zM7.5 7.5h.01',
  home: 'M4 21V9l8-6 8 6v12zM10 21v-6h4v6',
  hook: 'M8 17a4 4 0 1 1-3-6m5-6a4 4 0 1 1 5 5l-3 5h6a4 4 0 1 1-3 6',
  list: 'M8 6h13M8 12h13M8 18h13M3 6h.01M3 12h.01M3 18h.01',
  pulse: 'M2 12h5l3-8 4 16 3-8h5',
  key: 'M8 20a4 4 0 1 1 0-8 4 4 0 0 1 0 8zM11 13 20 4m-3 3 3 3',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3 2',
  sun: 'M12 17a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM12 1v2m0 18v2M1 12h2m18 0h2M4 4l2 2m12 12 2 2M4 20l2-2M18 6l2-2',
  moon: 'M21 13A9 9 0 1 1 11 3a7 7 0 0 0 10 10z',
  leave: 'M10 4H4v16h6M9 12h12m-4-4 4 4-4 4',
  close: 'M5 5l14 14M19 5 5 19',
  check: 'M4 12l5 6L20 6',
  play: 'M7 4v16l13-8z',
  pause: 'M7 4v16M17 4v16',
  step: 'M5 4v16l10-8zM19 4v16',
  leap: 'M3 4v16l9-8zM12 4v16l9-8z',
  search: 'M4 10.5a6.5 6.5 0 1013 0 6.5 6.5 0 10-13 0M15.5 15.5L21 21',
  plus: 'M12 4v16M4 12h16',
  minus: 'M4 12h16',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }): ReactNode {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
