import type { z } from 'zod';
import { canonicalJson, type JsonObject, sha256 } from '#core';
import { exampleId } from '../primitives.ts';
import type { operationRows } from './rows.ts';

type BodyRow = Extract<(typeof operationRows)[number], { readonly body: z.ZodType }>;
type BodyExamples = { readonly [Row in BodyRow as Row['id']]: z.input<Row['body']> & JsonObject };

/** Token for examples, which is valid nowhere. */
const exampleToken = `asy_${'3kTq8ZrV'.repeat(6).slice(0, 43)}`;

const stages = [
  { strategy: 'decision' },
  { strategy: 'score', parameters: { least: 0.5 } },
  { strategy: 'random', parameters: { keep: 0.5 } },
];

const bounds = {
  metric: 'timeline.monotonic',
  need: 'required',
  unit: 'stamps',
  direction: 'lower_is_better',
  ideal: 0,
  review: 0,
  allowed_share: 0,
  source: 'a sample without a valid timestamp cannot be aligned',
} as const;
const policy = { target: 'behaviour-cloning' as const, metrics: [bounds] };
const policySchema = 'assay/certification-policy/v1';

/** Report on one episode under the example policy. */
const report = {
  schema: 'assay/certification-report/v2' as const,
  engine: { name: 'assay' as const, version: '0.1.0' },
  canonicalisation: 'RFC8785' as const,
  project_id: exampleId('prj'),
  policy: {
    target: policy.target,
    version: 1,
    policy_hash: sha256(canonicalJson({ schema: policySchema, ...policy })),
  },
  dataset: {
    formats: ['mcap'],
    episodes: 1,
    duration_s: 12.4,
    sources_sha256: sha256('sources of the example'),
    receipts_sha256: sha256(`${sha256('receipt of the example')}\n`),
  },
  verdict: 'certified' as const,
  reason: 'all metrics that count towards the verdict and have evidence meet their ideal thresholds',
  coverage: { decisions: 1, of: 1, share: 1 },
  evidence: { decisions: 1, of: 1, share: 1 },
  episodes: [
    { id: 'take-1.mcap', index: 0, receipt: sha256('receipt of the example'), verdict: 'certified' as const },
  ],
  metrics: [
    {
      ...bounds,
      title: 'Timestamp monotonicity',
      formula:
        'number of timestamps t[i] that are not finite or smaller than t[i−1], summed over the streams of the episode',
      inputs: 'all timestamps of each sensor, state, action and camera stream',
      verdict: 'certified' as const,
      reason: 'the only episode meets the ideal threshold',
      counts: { certified: 1, review_required: 0, not_ready: 0, not_assessable: 0 },
      observed: { minimum: 0, median: 0, maximum: 0 },
      decisions: [
        {
          episode: 'take-1.mcap',
          applicability: 'applicable' as const,
          verdict: 'certified' as const,
          observed: 0,
          confidence: 'high' as const,
          inputs: { streams: 4 },
          provenance: 'recorded timestamps',
        },
      ],
      diagnostics: [],
    },
  ],
  limits: [
    'This report states what was measured in these recordings under this policy. It does not predict the performance of a model trained on them.',
    'Coverage is the share of required decisions with evidence. It does not measure data quality.',
  ],
};

/** Example of a whole body for each operation that takes one; ids stand for objects that exist. */
export const bodyExamples: BodyExamples = {
  create_tenant: { name: 'robotics-lab', token: { name: 'first admin', role: 'admin' } },
  create_user: { email: 'ada@example.org', name: 'Ada Lovelace', role: 'reviewer' },
  accept_invitation: { token: exampleToken },
  create_token: { name: 'nightly ingest', role: 'engineer', expires_in_s: 2_592_000 },
  create_session: { token: exampleToken },
  create_workspace: { name: 'Kitchen robots', use_case: 'robotic-manipulation' },
  update_workspace: { name: 'Kitchen robots, second floor' },
  set_use_case: { use_case: 'humanoids-mobile', unfit_projects: 'keep' },
  create_project: {
    workspace_id: exampleId('ws'),
    name: 'Pick and place',
    target_profile: 'behaviour-cloning',
  },
  update_project: { name: 'Pick, place and pour', target_profile: 'diffusion-policy' },
  set_data_kind: { kind: 'teleop' },
  create_source: { kind: 'upload', name: 'Recordings of 4 May' },
  set_readiness_settings: {
    checks: {
      timeline_integrity: { threshold_offset: -0.05, weight_factor: 1.5 },
      language_quality: { enabled: false },
    },
  },
  set_annotation_settings: {
    preset: 'manipulation-qc',
    modes: { captions: 'on_demand' },
    config: { object_labels: { ontology_source: 'manual', classes: ['cup', 'tray'], confidence_floor: 0.4 } },
  },
  set_workspace_annotation_settings: { modes: { depth: 'off', optical_flow: 'on_demand' } },
  set_models: { models: { detection: 'roboflow/rf-detr-nano' } },
  enqueue_annotation_job: { layer: 'metadata', episode_ids: [exampleId('ep')], force: true },
  preview_annotation_job: { layer: 'metadata', force: true },
  set_budget: { cap_usd: 250 },
  plan_run: { source_id: exampleId('src') },
  start_run: { source_id: exampleId('src') },
  rescore_project: { source_id: exampleId('src') },
  update_episode: { tags: ['night shift', 'new gripper'] },
  create_review: { decision: 'accept', note: 'The pause at 4 s is part of the task.' },
  compare_episodes: { one: { run_id: exampleId('run') }, other: { slice_id: exampleId('slc') } },
  annotate_episode: { force: true },
  edit_dense_text: { text: 'The arm picks up the red cup and places it on the tray.' },
  search_episodes: {
    filter: { decision: ['accept', 'review'], min_score: 0.5 },
    rank: { by: 'text', text: 'pick up the red cup' },
    limit: 20,
  },
  create_slice: { name: 'Good takes', query: { filter: { min_score: 0.2 } }, most: 500 },
  preview_curation: { seed: 7, stages },
  apply_curation: { seed: 7, stages, name: 'Half of the good takes' },
  curate: { strategy: 'score', parameters: { least: 0.5 }, name: 'Scores from 0.5' },
  run_ablation: { plan: { seed: 7, stages } },
  run_probe: { seed: 7, folds: 3 },
  set_ontology_summary: { declare: ['cup', 'tray'] },
  import_failures: {
    name: 'Evaluation of 4 May',
    records: [{ id: 'rollout-17', task: 'pour water', failure_mode: 'spilled', time_s: 8.5 }],
    neighbours: 5,
  },
  close_loop: { name: 'More pouring', factor: 2 },
  create_export: {
    format: 'lerobot-v3',
    source_id: exampleId('src'),
    episodes: { decisions: ['accept', 'review'] },
    purpose: 'training',
  },
  create_certification_policy: policy,
  dry_run_certification_policy: policy,
  import_certification_report: { ...report, content_hash: sha256(canonicalJson(report)) },
  ask_project: { question: 'What blocks readiness?' },
  raise_support_query: {
    subject: 'The upload stops at 16 MiB',
    message: 'Our proxy closes the connection. Which limit applies?',
    project_id: exampleId('prj'),
  },
  create_webhook: {
    name: 'Chat of the data team',
    url: 'https://hooks.example.org/assay',
    events: ['run.finished', 'set.not_usable'],
  },
  update_webhook: { events: null, enabled: false },
  create_email_subscription: {
    name: 'Reviewers',
    email: 'review@example.org',
    project_id: exampleId('prj'),
    events: ['review_queue.filled'],
  },
  update_email_subscription: { enabled: false },
  copilot_chat: {
    messages: [{ role: 'user', content: 'Which episodes should I review first?' }],
    project_id: exampleId('prj'),
    autopilot: false,
  },
};
