import { useState } from 'react';

type Theme = 'light' | 'dark';

const DARK = '(prefers-color-scheme: dark)';

/** Follows the system until somebody chooses; the choice lasts as long as the page. */
export function useTheme(): readonly [Theme, () => void] {
  const [theme, setTheme] = useState<Theme>(() => (matchMedia(DARK).matches ? 'dark' : 'light'));
  const toggle = (): void => {
    const next = theme === 'dark' ? 'light' : 'dark';
    document.documentElement.dataset['theme'] = next;
    setTheme(next);
  };
  return [theme, toggle];
}
