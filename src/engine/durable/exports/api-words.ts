import { exportEditIds } from '#core/api/bounds';

/** Members of an export request by the option of `assay export` that sets them. */
const membersByOption: ReadonlyMap<string, string> = new Map([
  ['rate', 'rate_hz'],
  ['only', 'episodes.episode_ids'],
  ['without', 'episodes.without'],
  ['with-review', 'episodes.decisions'],
  ['plan', 'episodes.curation_id'],
  ['source', 'source_id'],
  ['format', 'format'],
  ['annotations', 'annotations'],
  ...exportEditIds.map((id) => [id, `edits.${id}`] as const),
]);

const optionPattern = /(?<![\w-])--([a-z][a-z-]*)/g;

/**
 * Replaces options of `assay export` in a message by the members of the API: the code that exports is shared with the
 * command, whose users know options. `--drop` becomes `edits.drop`; an option that no member sets stays.
 */
export const toApiWords = (text: string): string =>
  text.replaceAll(optionPattern, (option, name: string) => membersByOption.get(name) ?? option);

/**
 * Returns the JSON pointer of the member that an error of the code that exports is about: that of the first option which
 * its message or advice names, such as `/body/edits/drop`, else `/body/format`.
 */
export function toApiPointer({
  message,
  advice,
}: {
  readonly message: string;
  readonly advice: string | null;
}): string {
  const options = `${message} ${advice ?? ''}`.matchAll(optionPattern);
  const [member = 'format'] = [...options].flatMap(([, name]) => membersByOption.get(name) ?? []);
  return `/body/${member.replaceAll('.', '/')}`;
}
