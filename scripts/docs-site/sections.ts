/** The site's contents: what is on it, in this order, by the path of its source. */
interface Section {
  readonly title: string;
  readonly pages: readonly string[];
}

/** A page of `docs` that is in no section stops the build. The decisions are added by themselves. */
export const sections: readonly Section[] = [
  {
    title: 'Start',
    pages: [
      'README.md',
      'docs/tutorial.md',
      'docs/verdicts.md',
      'docs/commands.md',
      'docs/service.md',
      'docs/notifications.md',
      'docs/glossary.md',
      'docs/vision.md',
    ],
  },
  {
    title: 'Assess',
    pages: [
      'docs/checks.md',
      'docs/formats.md',
      'docs/contracts.md',
      'docs/sources.md',
      'docs/mapping.md',
      'docs/recipes.md',
      'docs/readiness-settings.md',
      'docs/assess-again.md',
      'docs/outputs.md',
      'docs/real-sets.md',
      'docs/peers.md',
    ],
  },
  {
    title: 'Fix, curate, export',
    pages: ['docs/fix.md', 'docs/search.md', 'docs/curation.md', 'docs/failures.md', 'docs/exports.md'],
  },
  { title: 'Annotate', pages: ['docs/layers.md', 'docs/models.md', 'docs/runs.md'] },
  { title: 'Certify', pages: ['docs/target-readiness.md', 'docs/certification.md', 'docs/bundles.md'] },
  { title: 'Assistants', pages: ['docs/copilot.md', 'docs/tools.md', 'docs/mcp.md'] },
  {
    title: 'Reference',
    pages: [
      'docs/errors.md',
      'docs/migrations.md',
      'docs/configuration.md',
      'docs/limits.md',
      'docs/use-cases.md',
      'clients/typescript/README.md',
      'clients/python/README.md',
      'CHANGELOG.md',
      'SECURITY.md',
    ],
  },
  {
    title: 'For developers',
    pages: ['CONTRIBUTING.md', 'docs/testing.md', 'docs/architecture.md', 'docs/decisions/README.md'],
  },
];
