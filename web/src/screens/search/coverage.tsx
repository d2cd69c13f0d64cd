import type { RankedBy, SearchCoverage } from '#client';
import { number, plural } from '../../components/words.ts';

interface CoverageProps {
  readonly coverage: SearchCoverage;
  readonly ranked_by: RankedBy | null;
}

/** Number of matching and ranked episodes, the ranking method, and the reasons why others were not ranked. */
export function Coverage({ coverage: { matched, ranked, not_ranked }, ranked_by }: CoverageProps) {
  return (
    <div className="coverage">
      <p role="status">
        <b>{plural(matched, 'episode')}</b> {matched === 1 ? 'matches' : 'match'} the filters
        {ranked_by !== null && `, ${ranked === matched ? 'all' : plural(ranked, 'is', 'are')} ranked`}
      </p>
      {ranked_by !== null && (
        <p className="advice">
          Ranked by {ranked_by.id}, version {ranked_by.version}: {ranked_by.says.replace(/\.?$/, '.')}{' '}
          {ranked_by.moment !== null &&
            `Compares the segment from ${number(ranked_by.moment.from_s)} to ${number(ranked_by.moment.to_s)} s. `}
          {ranked_by.exact ? 'All matching episodes were compared.' : 'Results are approximate.'}
          {ranked_by.note !== undefined && ` Not ranked by meaning: ${ranked_by.note}.`}
        </p>
      )}
      {not_ranked.map(({ reason, episodes }) => (
        <p key={reason} className="faint">
          {plural(episodes, 'episode')} not ranked: {reason}
        </p>
      ))}
    </div>
  );
}
