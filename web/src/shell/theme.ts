import { readStored, writeStored } from '../components/browser-storage.ts';

export type Theme = 'system' | 'light' | 'dark';

const key = 'assay-theme';

/** Returns the theme stored in this browser, otherwise the system's. */
export const themeNow = (): Theme => {
  const kept = readStored('local', key);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
};

/** Applies a theme and stores it in this browser. */
export function setTheme(theme: Theme): void {
  if (theme === 'system') {
    writeStored('local', key, null);
    delete document.documentElement.dataset.theme;
    return;
  }
  writeStored('local', key, theme);
  document.documentElement.dataset.theme = theme;
}
