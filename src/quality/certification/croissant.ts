import type { SealedReport } from './dataset-card.ts';
import { coverageText } from './render-report.ts';

/** JSON-LD context that Croissant 1.1 requires in every document. */
const context = {
  '@language': 'en',
  '@vocab': 'https://schema.org/',
  citeAs: 'cr:citeAs',
  column: 'cr:column',
  conformsTo: 'dct:conformsTo',
  containedIn: 'cr:containedIn',
  cr: 'http://mlcommons.org/croissant/',
  rai: 'http://mlcommons.org/croissant/RAI/',
  data: { '@id': 'cr:data', '@type': '@json' },
  dataType: { '@id': 'cr:dataType', '@type': '@vocab' },
  dct: 'http://purl.org/dc/terms/',
  equivalentProperty: 'cr:equivalentProperty',
  examples: { '@id': 'cr:examples', '@type': '@json' },
  extract: 'cr:extract',
  field: 'cr:field',
  fileProperty: 'cr:fileProperty',
  fileObject: 'cr:fileObject',
  fileSet: 'cr:fileSet',
  format: 'cr:format',
  includes: 'cr:includes',
  isLiveDataset: 'cr:isLiveDataset',
  jsonPath: 'cr:jsonPath',
  key: 'cr:key',
  md5: 'cr:md5',
  parentField: 'cr:parentField',
  path: 'cr:path',
  recordSet: 'cr:recordSet',
  references: 'cr:references',
  regex: 'cr:regex',
  repeated: 'cr:repeated',
  replace: 'cr:replace',
  samplingRate: 'cr:samplingRate',
  sc: 'https://schema.org/',
  separator: 'cr:separator',
  source: 'cr:source',
  subField: 'cr:subField',
  transform: 'cr:transform',
};

/**
 * Renders Croissant 1.1 metadata as JSON text, with the sealed bundle as its file: verdict, coverage and digests. Facts
 * that only the owner can declare (licence, creator, URL, date) are omitted.
 */
export function renderCroissant({ report, title, bundle }: SealedReport): string {
  const { verdict, coverage, dataset, policy } = report;
  const property = (name: string, value: string | number) => ({ '@type': 'sc:PropertyValue', name, value });
  const document = {
    '@context': context,
    '@type': 'sc:Dataset',
    conformsTo: 'http://mlcommons.org/croissant/1.1',
    name: title,
    description: `${dataset.episodes} episodes, certified for ${policy.target}: ${verdict} (${report.reason}). Coverage: ${coverageText(report)}.`,
    distribution: [
      {
        '@type': 'cr:FileObject',
        '@id': 'bundle.zip',
        name: 'bundle.zip',
        description: `Certification evidence, signed with key ${bundle.keyid}; contains no recordings`,
        contentUrl: 'bundle.zip',
        contentSize: `${bundle.bytes} B`,
        encodingFormat: 'application/zip',
        sha256: bundle.sha256,
      },
    ],
    additionalProperty: [
      property('certification.verdict', verdict),
      ...(coverage.share === null ? [] : [property('certification.coverage', coverage.share)]),
      property('certification.policy_sha256', policy.policy_hash),
      property('certification.report_sha256', report.content_hash),
      property('certification.bundle_sha256', bundle.sha256),
    ],
    'rai:dataLimitations': report.limits.join(' '),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
