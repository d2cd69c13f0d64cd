import { useState } from 'react';
import type { CurationPlanInput } from '#client';
import { useAnswer } from '../../api/use-answer.ts';
import { Loaded } from '../../components/loaded.tsx';
import { strategyTitle, targetTitle } from '../../components/words.ts';

interface RecommendedProps {
  readonly project_id: string;
  readonly onTake: (plan: CurationPlanInput) => void;
}

/** Recommended plan for the project's target and data, with reasons, and the strategies that are not recommended. */
export function Recommended({ project_id, onTake }: RecommendedProps) {
  const [asked, ask] = useState(false);
  const recommended = useAnswer('recommend_curation', { project_id }, { when: asked });
  if (!asked)
    return (
      <p className="recommended">
        <button type="button" className="button" onClick={() => ask(true)}>
          Suggest a plan
        </button>
      </p>
    );
  return (
    <div className="recommended" role="status">
      <Loaded of={recommended} what="the suggested plan">
        {({ target_profile, plan, reasons, not_recommended }) => (
          <>
            <h3>Suggested plan for {targetTitle(target_profile)}</h3>
            <ol className="reasons">
              {reasons.map(({ strategy, reason }) => (
                <li key={strategy}>
                  <b>{strategyTitle(strategy)}</b>: {reason}
                </li>
              ))}
            </ol>
            {not_recommended.length > 0 && (
              <details>
                <summary>Strategies not suggested</summary>
                <ul className="reasons">
                  {not_recommended.map(({ strategy, reason }) => (
                    <li key={strategy}>
                      <b>{strategyTitle(strategy)}</b>: {reason}
                    </li>
                  ))}
                </ul>
              </details>
            )}
            <button type="button" className="button" onClick={() => onTake(plan)}>
              Start from this plan
            </button>
          </>
        )}
      </Loaded>
    </div>
  );
}
