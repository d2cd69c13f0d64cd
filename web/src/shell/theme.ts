export type Theme = 'system' | 'light' | 'dark';

const key = 'assay-theme';

/** Returns the theme stored in this browser, otherwise the system's. */
export const themeNow = (): Theme => {
  const kept = localStorage.getItem(key);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
};

/** Applies a theme and stores it in this browser. */
export function setTheme(theme: Theme): void {
  if (theme === 'system') {
    localStorage.removeItem(key);
    delete document.documentElement.dataset.theme;
    return;
  }
  localStorage.setItem(key, theme);
  document.documentElement.dataset.theme = theme;
}
