import type { certificationOperations } from '#core/api/operations';
import {
  type BundleResult,
  createCertificationPolicy,
  diffCertificationPolicies,
  dryRunCertificationPolicy,
  exportCertification,
  getCertificationPolicy,
  getCertificationReport,
  getDefaultCertificationPolicy,
  importCertificationReport,
  listCertificationDecisions,
  listCertificationKeys,
  listCertificationPolicies,
  rotateCertificationKey,
} from '#service/operations';
import { ExistingAnswer, type HandlersOf } from '../handler.ts';

const answerOf = ({ bundle, found }: BundleResult) => (found ? new ExistingAnswer(bundle) : bundle);

/** Handlers of certification policies, reports, bundles and keys. */
export const certificationHandlers = {
  list_certification_policies: ({ store, call }, { params, query }) =>
    listCertificationPolicies(store, call, { ...params, ...query }),
  get_certification_policy: ({ store, call }, { params }) => getCertificationPolicy(store, call, params),
  get_default_certification_policy: ({ store, call }, { params, query }) =>
    getDefaultCertificationPolicy(store, call, { ...params, ...query }),
  create_certification_policy: ({ store, call }, { params, body }) =>
    createCertificationPolicy(store, call, { ...params, ...body }),
  diff_certification_policies: ({ store, call }, { params, query }) =>
    diffCertificationPolicies(store, call, { ...params, ...query }),
  dry_run_certification_policy: ({ store, call }, { params, body }) =>
    dryRunCertificationPolicy(store, call, { ...params, ...body }),
  get_certification_report: async ({ store, call }, { params, query }) => {
    const { json, etag } = await getCertificationReport(store, call, { ...params, ...query });
    return { content_type: 'application/json', body: json, headers: { etag: `"${etag}"` } };
  },
  list_certification_decisions: ({ store, call }, { params, query }) =>
    listCertificationDecisions(store, call, { ...params, ...query }),
  export_certification: async ({ store, call }, { params, query }) =>
    answerOf(await exportCertification(store, call, { ...params, ...query })),
  import_certification_report: async ({ store, call }, { params, body }) =>
    answerOf(await importCertificationReport(store, call, { ...params, report: body })),
  list_certification_keys: ({ store, call }) => listCertificationKeys(store, call),
  rotate_certification_key: ({ store, call }) => rotateCertificationKey(store, call),
} satisfies HandlersOf<typeof certificationOperations>;
