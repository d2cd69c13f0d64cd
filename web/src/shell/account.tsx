import { Menu } from '@base-ui/react/menu';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { useSession } from './session.tsx';
import { setTheme, type Theme, themeNow } from './theme.ts';

const themes: readonly (readonly [Theme, string])[] = [
  ['system', 'System theme'],
  ['light', 'Light theme'],
  ['dark', 'Dark theme'],
];

/** Menu with the signed-in user and role, theme and sign-out. */
export function Account() {
  const { tenant, role, user, token } = useSession();
  const queries = useQueryClient();
  const [theme, choose] = useState(themeNow);
  const change = (next: Theme) => {
    setTheme(next);
    choose(next);
  };
  const signOut = async () => {
    await client.tenant.endSession();
    queries.clear();
    location.assign('/');
  };
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className="quiet account">
        <span className="account-name">{user?.name ?? token.name}</span> <span className="role">{role}</span>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={6} align="end" className="menu-place">
          <Menu.Popup className="menu">
            <p className="menu-text">
              {user?.email ?? token.name} · {tenant.name}
            </p>
            <Menu.RadioGroup value={theme} onValueChange={change}>
              {themes.map(([id, title]) => (
                <Menu.RadioItem key={id} value={id} className="menu-item" closeOnClick={false}>
                  <Menu.RadioItemIndicator className="menu-mark">✓</Menu.RadioItemIndicator>
                  {title}
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
            <Menu.Separator className="menu-line" />
            <Menu.Item className="menu-item" onClick={() => void signOut()}>
              Sign out
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
