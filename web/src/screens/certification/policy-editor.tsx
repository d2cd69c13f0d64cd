import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { AssayApiError, type CertificationPolicyInput } from '#client';
import { useAct } from '../../api/use-act.ts';
import { useAnswer, useList } from '../../api/use-answer.ts';
import { Action } from '../../components/action.tsx';
import { Complaint } from '../../components/failure.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { plural } from '../../components/words.ts';
import { isElsewhere } from '../../components/wrong-places.ts';
import { Boundaries, type PolicyMetric } from './boundaries.tsx';
import { type Draft, draftOf, policyOf } from './draft.ts';
import { DryRun } from './dry-run.tsx';
import { PolicyVersions } from './policy-versions.tsx';

const route = getRouteApi('/projects/$projectId/certification/policy');

/** Screen that edits the project's policy: thresholds, a dry run, then saving them as a new version. */
export function PolicyScreen() {
  const { projectId: project_id } = route.useParams();
  const { policy: policy_version } = route.useSearch();
  const asked = { project_id, ...(policy_version === undefined ? {} : { policy_version }) };
  const report = useAnswer('get_certification_report', { ...asked, detail: 'summary' });
  const saved = useList(
    'list_certification_policies',
    { project_id, limit: 100 },
    { when: report.isLoadingError },
  );
  // If a project has too many episodes for a report within one request, the saved policy is edited without observed values.
  const kept = saved.items.find(({ policy }) => (policy_version ?? policy.version) === policy.version);
  const base =
    report.data === undefined ? kept?.policy : { ...report.data.policy, metrics: report.data.metrics };
  return (
    <Page
      title="Certification policy"
      note="Saved versions never change. Saving creates a new version; reports made with earlier versions stay available."
      aside={
        <Link
          to="/projects/$projectId/certification"
          params={{ projectId: project_id }}
          search={policy_version === undefined ? {} : { policy: policy_version }}
          className="button"
        >
          View report
        </Link>
      }
    >
      {base === undefined ? (
        <Loaded of={report} what="the policy in effect">
          {() => null}
        </Loaded>
      ) : (
        <Editor key={base.policy_hash} project_id={project_id} base={base} />
      )}
      <PolicyVersions project_id={project_id} />
    </Page>
  );
}

interface EditorProps {
  readonly project_id: string;
  /** Policy being edited, with the values observed under it if known. */
  readonly base: {
    readonly target: CertificationPolicyInput['target'];
    readonly version: number | null;
    readonly metrics: readonly PolicyMetric[];
  };
}

const changes = [
  'list_certification_policies',
  'get_certification_report',
  'diff_certification_policies',
] as const;

function Editor({ project_id, base }: EditorProps) {
  const [draft, setDraft] = useState<Draft>(() => draftOf(base));
  const tried = useAct('dry_run_certification_policy', []);
  const { save, onSave } = useSave(project_id);
  const policy = policyOf(draft, base);
  const isTried = isSame(tried.variables, { project_id, ...policy });
  const [tryError, saveError] = [isTried ? tried.error : null, save.error];
  const moved = policy.metrics.filter((row, at) => isMoved(row, base.metrics[at])).length;
  return (
    <Panel
      title="Thresholds"
      tally={`based on ${base.version === null ? 'the default policy' : `version ${base.version}`}`}
    >
      <Target target={draft.target} onSet={(target) => setDraft({ ...draft, target })} />
      <Boundaries
        rows={base.metrics}
        draft={draft}
        error={tryError ?? saveError}
        onSet={(metric, own) => setDraft({ ...draft, metrics: { ...draft.metrics, [metric]: own } })}
      />
      <div className="decide-row policy-acts">
        <button
          type="button"
          className="button is-main"
          disabled={tried.isPending}
          onClick={() => tried.mutate({ project_id, ...policy })}
        >
          Dry run
        </button>
        <Action
          needs="reviewer"
          busy={save.isPending}
          not={whyNotSaved(moved > 0 || draft.target !== base.target, isTried && isAnswered(tried))}
          onAct={() => onSave(policy)}
        >
          Save as new version
        </Action>
        {moved > 0 && (
          <button type="button" className="quiet" onClick={() => setDraft(draftOf(base))}>
            Discard changes
          </button>
        )}
        {moved > 0 && <span className="faint">{plural(moved, 'metric')} changed.</span>}
      </div>
      {[tryError, saveError].map(
        (error) =>
          error !== null && isElsewhere(error, isField) && <Complaint key={String(error)} error={error} />,
      )}
      {isTried && tried.data !== undefined && <DryRun tried={tried.data} />}
    </Panel>
  );
}

/** Saves a policy as a new version and opens its report. */
function useSave(project_id: string) {
  const navigate = useNavigate();
  const save = useAct('create_certification_policy', changes);
  const onSave = (policy: ReturnType<typeof policyOf>) =>
    save.mutate(
      { project_id, ...policy },
      {
        onSuccess: ({ policy: { version } }) =>
          void navigate({
            to: '/projects/$projectId/certification',
            params: { projectId: project_id },
            search: { policy: version },
          }),
      },
    );
  return { save, onSave };
}

/** If the project has too many episodes for a dry run within one request, the policy may be saved without one. */
const isAnswered = ({ data, error }: { readonly data: unknown; readonly error: unknown }): boolean =>
  data !== undefined || (error instanceof AssayApiError && error.code === 'limit_exceeded');

const isField = (pointer: string): boolean =>
  /^\/metrics\/\d+\/(need|ideal|review|allowed_share)$/.test(pointer);

function isMoved(row: CertificationPolicyInput['metrics'][number], base: typeof row): boolean {
  const { need, ideal, review, allowed_share } = row;
  return (
    need !== base.need ||
    ideal !== base.ideal ||
    review !== base.review ||
    allowed_share !== base.allowed_share
  );
}

/** Compares as JSON, so that NaN equals NaN. */
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function whyNotSaved(isChanged: boolean, isTried: boolean): string | null {
  if (!isChanged) return 'No changes';
  return isTried ? null : 'Do a dry run first';
}

interface TargetProps {
  readonly target: Draft['target'];
  readonly onSet: (target: Draft['target']) => void;
}

function Target({ target, onSet }: TargetProps) {
  const targets = useList('list_target_profiles', { limit: 100 });
  return (
    <div className="form-row">
      <label>
        Target
        <select value={target} onChange={(event) => onSet(event.target.value as Draft['target'])}>
          {targets.items.length === 0 && <option value={target}>{target}</option>}
          {targets.items.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
