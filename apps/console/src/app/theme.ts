import { useState } from 'react';

type Theme = 'light' | 'dark';

const DARK = '(prefers-color-scheme: dark)';

/** Follows the system until the user chooses a theme; the choice lasts until the page is closed. */
export function useTheme(): readonly [Theme, () => void] {
  const [theme, setTheme] = useState<Theme>(() => (matchMedia(DARK).matches ? 'dark' : 'light'));
  const toggle = (): void => {
    const next = theme === 'dark' ? 'light' : 'dark';
    document.documentElement.dataset['theme'] = next;
    setTheme(next);
  };
  return [theme, toggle];
}
