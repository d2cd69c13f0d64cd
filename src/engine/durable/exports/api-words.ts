/** Members of an export request by the option of `assay export` that sets them. */
const membersByOption: Readonly<Record<string, string>> = {
  rate: 'rate_hz',
  only: 'episodes.episode_ids',
  without: 'episodes.without',
  'with-review': 'episodes.decisions',
  plan: 'episodes.curation_id',
  source: 'source_id',
  format: 'format',
  annotations: 'annotations',
};

/**
 * Replaces options of `assay export` in a message by the members of the API: the code that exports is shared with the
 * command, whose users know options. `--drop` becomes `edits.drop`.
 */
export const toApiWords = (text: string): string =>
  text.replaceAll(
    /(?<![\w-])--([a-z][a-z-]*)/g,
    (_, option: string) => membersByOption[option] ?? `edits.${option}`,
  );
