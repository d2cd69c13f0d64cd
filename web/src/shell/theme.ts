export type Theme = 'system' | 'light' | 'dark';

const key = 'assay-theme';

/** What this browser was told; the system's choice where it was told nothing. */
export const themeNow = (): Theme => {
  const kept = localStorage.getItem(key);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
};

/** Shows the page in a theme, and keeps it for the next time. */
export function setTheme(theme: Theme): void {
  if (theme === 'system') {
    localStorage.removeItem(key);
    delete document.documentElement.dataset.theme;
    return;
  }
  localStorage.setItem(key, theme);
  document.documentElement.dataset.theme = theme;
}
