import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { CommerceUnavailable } from 'commerce-service-client';
import { useEffect, useRef, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';

import { T } from '../texts';
import { Icon, type IconName } from '../ui/icon';
import { Mark } from '../ui/parts';
import { SearchButton } from '../search/search-button';
import { useSession } from './session';
import { useTheme } from './theme';

const GROUPS: readonly (readonly (readonly [path: string, name: keyof typeof T.nav, icon: IconName])[])[] = [
  [
    ['/', 'money', 'chart'],
    ['/subscriptions', 'subscriptions', 'cycle'],
    ['/payments', 'payments', 'card'],
    ['/invoices', 'invoices', 'page'],
    ['/orders', 'orders', 'bag'],
    ['/users', 'users', 'person'],
  ],
  [
    ['/plans', 'plans', 'layers'],
    ['/products', 'products', 'box'],
    ['/coupons', 'coupons', 'tag'],
  ],
  [
    ['/webhooks', 'webhooks', 'hook'],
    ['/events', 'events', 'list'],
    ['/work', 'work', 'pulse'],
    ['/test_clocks', 'test_clocks', 'clock'],
    ['/keys', 'keys', 'key'],
    ['/company', 'company', 'home'],
  ],
];

/** The frame of every page: the navigation, and a notice when the service does not respond. */
export function Shell({ children }: { readonly children: ReactNode }): ReactNode {
  const main = useRef<HTMLElement>(null);
  const [location] = useLocation();
  // Moves the focus to the new page, where users of a keyboard or a screen reader continue.
  const first = useRef(true);
  useEffect(() => {
    if (first.current) first.current = false;
    else main.current?.focus();
  }, [location]);
  return (
    <div className="shell">
      <a className="skip" href="#main">
        {T.skip}
      </a>
      <Sidebar />
      <main id="main" ref={main} tabIndex={-1}>
        <Away />
        {children}
      </main>
    </div>
  );
}

function Sidebar(): ReactNode {
  const { isTest, signOut } = useSession();
  const [theme, toggle] = useTheme();
  const busy = useIsFetching() > 0;
  return (
    <header className="sidebar">
      <div className="brand" data-busy={busy}>
        <Mark />
        <strong>{T.name}</strong>
        <span className={isTest ? 'mode test' : 'mode live'}>{isTest ? T.testMode : T.liveMode}</span>
      </div>
      <SearchButton />
      <Navigation />
      <div className="sidebar-foot">
        <button
          type="button"
          className="ghost"
          onClick={toggle}
          aria-label={T.theme(theme)}
          title={T.theme(theme)}
        >
          <Icon name={theme === 'dark' ? 'sun' : 'moon'} />
        </button>
        <button type="button" className="ghost" onClick={signOut} title={T.signOut}>
          <Icon name="leave" />
          <span>{T.signOut}</span>
        </button>
      </div>
    </header>
  );
}

function Navigation(): ReactNode {
  const [location] = useLocation();
  const nav = useRef<HTMLElement>(null);
  // On a phone the navigation is one line, wider than the page.
  useEffect(() => {
    const here = nav.current?.querySelector<HTMLElement>('[aria-current]');
    const { left = 0, width = 0 } = here?.getBoundingClientRect() ?? {};
    nav.current?.scrollBy({ left: left - (innerWidth - width) / 2 });
  }, [location]);
  const isHere = (path: string): boolean =>
    path === '/' ? location === '/' : location === path || location.startsWith(`${path}/`);
  return (
    <nav ref={nav} aria-label={T.navigation}>
      {GROUPS.map((group) => (
        <ul key={group[0]?.[0]}>
          {group.map(([path, name, icon]) => (
            <li key={path}>
              <Link href={path} aria-current={isHere(path) ? 'page' : undefined}>
                <Icon name={icon} />
                <span>{T.nav[name]}</span>
              </Link>
            </li>
          ))}
        </ul>
      ))}
    </nav>
  );
}

/** Shows a notice for as long as any request goes unanswered. */
function Away(): ReactNode {
  const cache = useQueryClient().getQueryCache();
  useIsFetching();
  const away = cache.getAll().some(({ state }) => state.error instanceof CommerceUnavailable);
  if (!away) return null;
  return (
    <p role="alert" className="alert away">
      {T.away} {T.tryingAgain}
    </p>
  );
}
