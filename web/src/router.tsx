import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { Failure } from './components/failure.tsx';
import { Page } from './components/page.tsx';
import { readComparison } from './screens/compare/comparison-address.ts';
import { readPlan } from './screens/curation/plan-address.ts';
import { readFilter } from './screens/episodes/filter.ts';
import { Home } from './screens/home/home.tsx';
import { readSearch } from './screens/search/search-address.ts';
import { readPair } from './screens/side-by-side/pair-address.ts';
import { Shell } from './shell/shell.tsx';

const readPolicyVersion = ({ policy }: Readonly<Record<string, unknown>>): { readonly policy?: number } =>
  Number.isInteger(policy) && Number(policy) > 0 ? { policy: Number(policy) } : {};

/** Routes of the screens. Code that the first screen does not need is loaded on demand. */
const root = createRootRoute({
  component: Shell,
  notFoundComponent: () => (
    <Page title="Page not found">
      <p className="advice">The address may be wrong, or the item may have been deleted.</p>
    </Page>
  ),
});

const home = createRoute({ getParentRoute: () => root, path: '/', component: Home });
const projects = createRoute({ getParentRoute: () => root, path: '/projects/$projectId' });

const overview = createRoute({
  getParentRoute: () => projects,
  path: '/',
  component: lazyRouteComponent(() => import('./screens/project/project.tsx'), 'ProjectScreen'),
});
const episodes = createRoute({
  getParentRoute: () => projects,
  path: '/episodes',
  validateSearch: readFilter,
  component: lazyRouteComponent(() => import('./screens/episodes/episodes.tsx'), 'EpisodesScreen'),
});
const episode = createRoute({
  getParentRoute: () => projects,
  path: '/episodes/$episodeId',
  component: lazyRouteComponent(() => import('./screens/episode/episode.tsx'), 'EpisodeScreen'),
});
const sources = createRoute({
  getParentRoute: () => projects,
  path: '/sources',
  component: lazyRouteComponent(() => import('./screens/sources/sources.tsx'), 'SourcesScreen'),
});
const review = createRoute({
  getParentRoute: () => projects,
  path: '/review',
  component: lazyRouteComponent(() => import('./screens/review/review.tsx'), 'ReviewScreen'),
});
const runs = createRoute({
  getParentRoute: () => projects,
  path: '/runs',
  component: lazyRouteComponent(() => import('./screens/runs/runs.tsx'), 'RunsScreen'),
});
const run = createRoute({
  getParentRoute: () => projects,
  path: '/runs/$runId',
  component: lazyRouteComponent(() => import('./screens/runs/run.tsx'), 'RunScreen'),
});
const exports = createRoute({
  getParentRoute: () => projects,
  path: '/exports',
  component: lazyRouteComponent(() => import('./screens/exports/exports.tsx'), 'ExportsScreen'),
});
const certification = createRoute({
  getParentRoute: () => projects,
  path: '/certification',
  validateSearch: readPolicyVersion,
  component: lazyRouteComponent(
    () => import('./screens/certification/certification.tsx'),
    'CertificationScreen',
  ),
});
const policy = createRoute({
  getParentRoute: () => projects,
  path: '/certification/policy',
  validateSearch: readPolicyVersion,
  component: lazyRouteComponent(() => import('./screens/certification/policy-editor.tsx'), 'PolicyScreen'),
});
const search = createRoute({
  getParentRoute: () => projects,
  path: '/search',
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import('./screens/search/search.tsx'), 'SearchScreen'),
});
const slices = createRoute({
  getParentRoute: () => projects,
  path: '/slices',
  component: lazyRouteComponent(() => import('./screens/slices/slices.tsx'), 'SlicesScreen'),
});
const slice = createRoute({
  getParentRoute: () => projects,
  path: '/slices/$sliceId',
  validateSearch: ({ with: other }: Readonly<Record<string, unknown>>): { readonly with?: string } =>
    typeof other === 'string' && /^slc_[0-9a-z]{26}$/.test(other) ? { with: other } : {},
  component: lazyRouteComponent(() => import('./screens/slices/slice.tsx'), 'SliceScreen'),
});
const curation = createRoute({
  getParentRoute: () => projects,
  path: '/curation',
  validateSearch: readPlan,
  component: lazyRouteComponent(() => import('./screens/curation/curation.tsx'), 'CurationScreen'),
});
const plan = createRoute({
  getParentRoute: () => projects,
  path: '/curation/$planId',
  component: lazyRouteComponent(() => import('./screens/curation/plan.tsx'), 'PlanScreen'),
});
const compare = createRoute({
  getParentRoute: () => projects,
  path: '/compare',
  validateSearch: readComparison,
  component: lazyRouteComponent(() => import('./screens/compare/compare.tsx'), 'CompareScreen'),
});
const copilot = createRoute({
  getParentRoute: () => projects,
  path: '/copilot',
  validateSearch: ({ thread }: Readonly<Record<string, unknown>>): { readonly thread?: string } =>
    typeof thread === 'string' && /^thr_[0-9a-z]{26}$/.test(thread) ? { thread } : {},
  component: lazyRouteComponent(() => import('./screens/copilot/copilot.tsx'), 'CopilotScreen'),
});
const sideBySide = createRoute({
  getParentRoute: () => projects,
  path: '/side-by-side',
  validateSearch: readPair,
  component: lazyRouteComponent(() => import('./screens/side-by-side/side-by-side.tsx'), 'SideBySideScreen'),
});
const settings = createRoute({
  getParentRoute: () => projects,
  path: '/settings',
  component: lazyRouteComponent(() => import('./screens/settings/settings.tsx'), 'SettingsScreen'),
});
const newProject = createRoute({
  getParentRoute: () => root,
  path: '/new-project',
  component: lazyRouteComponent(() => import('./screens/new-project/new-project.tsx'), 'NewProjectScreen'),
});
const models = createRoute({
  getParentRoute: () => root,
  path: '/models',
  component: lazyRouteComponent(() => import('./screens/models/models.tsx'), 'ModelsScreen'),
});
const budget = createRoute({
  getParentRoute: () => root,
  path: '/budget',
  component: lazyRouteComponent(() => import('./screens/budget/budget.tsx'), 'BudgetScreen'),
});
const team = createRoute({
  getParentRoute: () => root,
  path: '/team',
  component: lazyRouteComponent(() => import('./screens/team/team.tsx'), 'TeamScreen'),
});
const notifications = createRoute({
  getParentRoute: () => root,
  path: '/notifications',
  component: lazyRouteComponent(
    () => import('./screens/notifications/notifications.tsx'),
    'NotificationsScreen',
  ),
});
const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  component: lazyRouteComponent(() => import('./screens/audit/audit.tsx'), 'AuditScreen'),
});

const ofProject = [
  overview,
  sources,
  episodes,
  episode,
  review,
  runs,
  run,
  exports,
  certification,
  copilot,
  settings,
];
const ofChoice = [search, slices, slice, curation, plan, compare, policy, sideBySide];

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    newProject,
    models,
    budget,
    team,
    notifications,
    audit,
    projects.addChildren([...ofProject, ...ofChoice]),
  ]),
  defaultPreload: 'intent',
  scrollRestoration: true,
  // Unknown URL parameters are removed.
  search: { strict: true },
  defaultErrorComponent: ({ error, reset }) => <Failure error={error} onRetry={reset} />,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
