const examples = 'such as /recordings/day-1, hf://lerobot/pusht or https://host/folder/';

/**
 * Returns what is wrong with a path or address before it is sent; null if the service can try it. The service decides
 * what it may read.
 */
export function placeProblem(text: string): string | null {
  const place = text.trim();
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(place)?.[1].toLowerCase();
  if (scheme === 'hf') return hubProblem(place);
  if (scheme === 'https' || scheme === 'http') return urlProblem(place);
  if (scheme === 's3')
    return /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/|$)/i.test(place)
      ? null
      : 'Use s3://BUCKET/PREFIX; bucket names must have 3 to 63 lower-case letters, digits, dots or hyphens.';
  if (scheme !== undefined) return `${scheme}:// cannot be read. Use a path or address, ${examples}.`;
  if (place === '' || place.startsWith('/') || /^[a-z]:[\\/]|^\\\\/i.test(place)) return null;
  return /^[\w.-]+\/[\w.-]+$/.test(place)
    ? `For the dataset on Hugging Face, use hf://${place}; for a folder, use its absolute path, starting with /.`
    : `Use an absolute path or an address, ${examples}.`;
}

const hubProblem = (place: string): string | null =>
  /^hf:\/\/(datasets\/)?(?!(datasets|models|spaces)\/)[\w.-]+\/[\w.-]+(@[^\s@]+)?(\/.*)?$/i.test(place)
    ? null
    : 'Use hf://OWNER/NAME of a dataset. Add @REVISION after the name for a revision other than main.';

function urlProblem(place: string): string | null {
  if (!URL.canParse(place)) return 'This is not a valid URL.';
  const { username, password, search, hash } = new URL(place);
  if (username !== '' || password !== '') return 'Remove the user name and password from the address.';
  if (search !== '' || hash !== '') return 'Remove the part of the address from ? or # on.';
  return null;
}

/** Returns true for addresses whose files the service lists first (`hf://`, `http://`, `https://`). */
export const isWebPlace = (text: string): boolean => /^\s*(hf|https?):\/\//i.test(text);
