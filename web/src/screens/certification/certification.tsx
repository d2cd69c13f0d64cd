import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { checkSeal } from '#quality/report/views';
import { useAct } from '../../api/use-act.ts';
import { useAnswer, useList } from '../../api/use-answer.ts';
import { Action } from '../../components/action.tsx';
import { Complaint } from '../../components/failure.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Facts, Page, Panel } from '../../components/page.tsx';
import { Seal } from '../../components/seal.tsx';
import { count, duration, percent, targetTitle } from '../../components/words.ts';
import { Metrics } from './metrics.tsx';
import { VerdictBadge } from './verdict.tsx';

const route = getRouteApi('/projects/$projectId/certification');

/** Screen of the certification report: verdict, coverage and metrics under a policy of the project. */
export function CertificationScreen() {
  const { projectId: project_id } = route.useParams();
  const { policy } = route.useSearch();
  const asked = { project_id, ...(policy === undefined ? {} : { policy_version: policy }) };
  const report = useAnswer('get_certification_report', asked);
  const bundle = useAct('export_certification', ['list_exports']);
  const seal = useQuery({
    queryKey: ['seal', report.data?.content_hash],
    enabled: report.data !== undefined,
    queryFn: () => checkSeal({ ...report.data }),
  });
  return (
    <Page
      title="Certification"
      aside={
        <div className="decide-row">
          <PolicyPicker project_id={project_id} chosen={policy} />
          <Link
            to="/projects/$projectId/certification/policy"
            params={{ projectId: project_id }}
            search={policy === undefined ? {} : { policy }}
            className="button"
          >
            Edit policy
          </Link>
          <Action needs="reviewer" busy={bundle.isPending} onAct={() => bundle.mutate(asked)}>
            Export signed bundle
          </Action>
        </div>
      }
    >
      {bundle.error !== null && <Complaint error={bundle.error} />}
      {bundle.data !== undefined && <p role="status">Bundle created. Download it from Exports.</p>}
      <Loaded of={report} what="the report">
        {({ verdict, reason, coverage, evidence, dataset, policy: held, metrics, limits }) => (
          <>
            <div className="verdict">
              <p className="reason">
                <VerdictBadge verdict={verdict} /> <span>{reason}</span>
              </p>
              <Facts
                rows={[
                  [
                    'Coverage',
                    `${coverage.share === null ? '–' : percent(coverage.share)}: ${count(coverage.decisions)} of ${count(coverage.of)} required metric evaluations had evidence`,
                  ],
                  [
                    'With optional metrics',
                    `${evidence.share === null ? '–' : percent(evidence.share)}: ${count(evidence.decisions)} of ${count(evidence.of)}, including metrics that are required only if their data is present`,
                  ],
                  ['Episodes', `${count(dataset.episodes)}, ${duration(dataset.duration_s)}`],
                  ['Target', targetTitle(held.target)],
                  ['Policy hash', <code key="policy">{held.policy_hash.slice(0, 12)}</code>],
                ]}
              />
              <Seal seal={seal.data} of="report" />
            </div>
            <Metrics metrics={metrics} />
            <Panel title="Limitations of this report">
              <ul>
                {limits.map((limit) => (
                  <li key={limit} className="advice">
                    {limit}
                  </li>
                ))}
              </ul>
            </Panel>
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface PolicyPickerProps {
  readonly project_id: string;
  readonly chosen: number | undefined;
}

function PolicyPicker({ project_id, chosen }: PolicyPickerProps) {
  const navigate = useNavigate({ from: '/projects/$projectId/certification' });
  const policies = useList('list_certification_policies', { project_id, limit: 100 });
  return (
    <select
      aria-label="Policy"
      value={chosen ?? ''}
      onChange={({ target }) =>
        void navigate({ search: target.value === '' ? {} : { policy: Number(target.value) } })
      }
    >
      <option value="">{policies.items.length === 0 ? 'Default policy' : 'Newest policy'}</option>
      {policies.items.map(({ policy }) => (
        <option key={policy.version} value={policy.version}>
          Version {policy.version}, {targetTitle(policy.target)}
        </option>
      ))}
    </select>
  );
}
