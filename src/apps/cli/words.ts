/** Formats a size in decimal units: `12 kB`, `3.4 MB`. */
export function bytesInWords(bytes: number): string {
  if (bytes < 1e3) return `${bytes} B`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(0)} kB`;
  if (bytes < 1e9) return `${(bytes / 1e6).toFixed(1)} MB`;
  return `${(bytes / 1e9).toFixed(2)} GB`;
}

/** Formats a duration in s below 90 s, in min below 90 min, else in h. */
export function secondsInWords(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

/** Formats a number with its noun: `1 episode`, `2 episodes`, `12,345 episodes`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(number)} ${number === 1 ? noun : plural}`;
}

/** Formats an integer with commas between thousands, independent of the locale. */
export function grouped(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** Replaces underscores by blanks: `frames_repeated` → `frames repeated`. */
export function words(code: string): string {
  return code.replaceAll('_', ' ');
}
