import { changed, type Mend, unfixed } from './mend.ts';

/** JSON files are written without what standard JSON does not allow. */
export const jsonText: Mend = {
  id: 'json-text',
  title: 'JSON files of meta/ are standard JSON in UTF-8',
  answers: ['json_refused', 'nonstandard_json'],
  run: (draft) => {
    for (const [path, oddities] of draft.oddities) {
      const kept = oddities.filter((oddity) => oddity.startsWith('nesting'));
      const left = oddities.filter((oddity) => !kept.includes(oddity));
      if (left.length > 0)
        changed(draft, jsonText, jsonText.answers, {
          path,
          what: 'text',
          before: left.join(', '),
          after: 'standard JSON',
        });
      if (kept.length > 0)
        unfixed(draft, 'json_refused', {
          path,
          message: `${path} holds ${kept.join(', ')}, which Python does not read`,
          advice: 'Take what is nested so deep out of the file, or write the file again.',
        });
    }
  },
};
