type Area = 'local' | 'session';

/** Storage of this browser, or of this tab. Reading the property throws if the browser forbids storage. */
const storageOf = (area: Area): Storage => (area === 'local' ? localStorage : sessionStorage);

/** Returns a stored text; `null` if there is none or the browser forbids storage. */
export function readStored(area: Area, key: string): string | null {
  try {
    return storageOf(area).getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text, or removes it with `null`. Does nothing if the browser forbids storage or it is full. */
export function writeStored(area: Area, key: string, text: string | null): void {
  try {
    if (text === null) storageOf(area).removeItem(key);
    else storageOf(area).setItem(key, text);
  } catch {
    // Stored texts only make later visits more comfortable.
  }
}

/** Returns a value that was stored as JSON; `null` if there is none or it cannot be parsed. */
export function readStoredJson(area: Area, key: string): unknown {
  try {
    return JSON.parse(readStored(area, key) ?? 'null');
  } catch {
    return null;
  }
}
