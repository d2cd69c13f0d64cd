import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { Failure } from './components/failure.tsx';
import { Page } from './components/page.tsx';
import { readFilter } from './screens/episodes/filter.ts';
import { Home } from './screens/home/home.tsx';
import { Shell } from './shell/shell.tsx';

/** The screens by their addresses. What the first screen does not need is loaded with the screen that does. */
const root = createRootRoute({
  component: Shell,
  notFoundComponent: () => (
    <Page title="There is nothing here">
      <p className="advice">The address may be mistyped, or what it showed was deleted.</p>
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
const review = createRoute({
  getParentRoute: () => projects,
  path: '/review',
  component: lazyRouteComponent(() => import('./screens/review/review.tsx'), 'ReviewScreen'),
});

export const router = createRouter({
  routeTree: root.addChildren([home, projects.addChildren([overview, episodes, episode, review])]),
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultErrorComponent: ({ error, reset }) => <Failure error={error} onRetry={reset} />,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
