const words = (text: string): string[] => text.split(/[\s_-]+/);
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const singular = (word: string): string => word.replace(/s$/, '');

/** `annotation jobs` as `annotationJobs`. */
export const camelCase = (text: string): string =>
  words(text)
    .map((word, at) => (at === 0 ? word : capital(word)))
    .join('');

/** `start_run` as `StartRun`. */
export const pascalCase = (text: string): string => words(text).map(capital).join('');

/** `annotation jobs` as `annotation-jobs`: the name of a file. */
export const kebabCase = (text: string): string => words(text).join('-');

/**
 * Returns the name of an operation among those of its noun, which never repeats the noun: `list_run_findings` of `runs` is
 * `listFindings`, and `copilot_chat` of `copilot` is `chat`.
 */
export function methodName(id: string, noun: string): string {
  const nounWords = new Set(words(noun).map(singular));
  const rest = words(id).filter((word) => !nounWords.has(singular(word)));
  return camelCase((rest.length === 0 ? [id] : rest).join('_'));
}

/** The type of what an operation is asked with. */
export const inputName = (id: string): string => `${pascalCase(id)}Input`;

/** The type of what an operation answers with where the contract has no name for it: `get_receipt` answers a `Receipt`. */
export function answerName(id: string): string {
  const [verb, ...rest] = words(id);
  return verb === 'get' ? pascalCase(rest.join('_')) : `${pascalCase(id)}Answer`;
}

/** Returns the type name of a stream's events: `StreamRunEvent` for `stream_run`. */
export const eventName = (id: string): string => `${pascalCase(id)}Event`;
