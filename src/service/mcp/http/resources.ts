import { AssayError, idPattern } from '#core';
import { tools } from '#service/copilot';
import { type Call, getCertificationReport, getReceipt, listProjects } from '#service/operations';
import type { Store } from '#store';
import type { Caller, ListedResource, ResourceKind } from '../offer.ts';

const json = 'application/json';
const receiptUri = /^assay:\/\/episodes\/([^/]+)\/receipt$/;
const readinessUri = /^assay:\/\/projects\/([^/]+)\/readiness$/;
const certificationUri = /^assay:\/\/projects\/([^/]+)\/certification$/;

/** Returns the resource kinds of the service: receipts, readiness reports and certification reports. */
export function resourceKinds(store: Store): readonly ResourceKind<Call>[] {
  return [
    {
      template: 'assay://episodes/{episode_id}/receipt',
      name: 'Receipt',
      description: 'An episode’s receipt, byte for byte: why it was accepted, rejected or sent to review',
      media_type: json,
      read: async (uri, { who }) => {
        const episode_id = parseId(uri, receiptUri, 'ep');
        return episode_id === null ? null : decodeText((await getReceipt(store, who, { episode_id })).json);
      },
    },
    {
      template: 'assay://projects/{project_id}/readiness',
      name: 'Readiness report',
      description:
        'Readiness of a project’s data: decisions, scores, flags, findings and target requirements',
      media_type: json,
      read: async (uri, { who }) => {
        const project_id = parseId(uri, readinessUri, 'prj');
        const report = tools.get('get_readiness_report');
        if (project_id === null || report === undefined) return null;
        return JSON.stringify(await report.run(store, who, { project_id }));
      },
    },
    {
      template: 'assay://projects/{project_id}/certification',
      name: 'Certification report',
      description: 'A project’s episodes evaluated under its current certification policy',
      media_type: json,
      read: async (uri, { who }) => {
        const project_id = parseId(uri, certificationUri, 'prj');
        return project_id === null
          ? null
          : decodeText((await getCertificationReport(store, who, { project_id })).json);
      },
    },
  ];
}

const maxListedProjects = 50;

/**
 * Lists the reports of the newest projects with episodes. Receipts are too many to list; they are read by their URI
 * template.
 */
export async function listReports(store: Store, { who }: Caller<Call>): Promise<readonly ListedResource[]> {
  const { items } = await listProjects(store, who, { limit: maxListedProjects });
  return items
    .filter(({ episodes }) => episodes > 0)
    .flatMap(({ id, name, episodes }) => [
      {
        uri: `assay://projects/${id}/readiness`,
        name: `Readiness report: ${name}`,
        description: `Readiness report on ${episodes} episodes`,
        media_type: json,
      },
      {
        uri: `assay://projects/${id}/certification`,
        name: `Certification report: ${name}`,
        description: `Certification report on ${episodes} episodes`,
        media_type: json,
      },
    ]);
}

/** Returns the id in a URI; null if the URI has another shape. Throws `not_found` for a malformed id. */
function parseId(uri: string, shape: RegExp, prefix: 'ep' | 'prj'): string | null {
  const id = shape.exec(uri)?.[1];
  if (id === undefined) return null;
  if (idPattern(prefix).test(id)) return id;
  throw new AssayError('not_found', 'resource not found');
}

const decodeText = (bytes: Uint8Array | string): string =>
  typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes);
