import { Link, Outlet, useParams } from '@tanstack/react-router';
import { useAnswer } from '../api/use-answer.ts';
import { Account } from './account.tsx';
import { Connection } from './connection.tsx';
import { Faults } from './faults.tsx';
import { SessionGate } from './session.tsx';

/** Layout around every screen. */
export function Shell() {
  return (
    <SessionGate>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <Top />
      <Connection />
      <Faults />
      <Outlet />
    </SessionGate>
  );
}

function Top() {
  const { projectId } = useParams({ strict: false });
  return (
    <header>
      <div className="top">
        <span className="brand">
          <Link to="/">Assay</Link>
        </span>
        <span className="where">
          {projectId === undefined ? 'All projects' : <ProjectName project_id={projectId} />}
        </span>
        <Account />
      </div>
      <nav className="tabs" aria-label={projectId === undefined ? 'Service' : 'Project'}>
        {projectId === undefined ? <ServiceTabs /> : <ProjectTabs projectId={projectId} />}
      </nav>
    </header>
  );
}

function ProjectName({ project_id }: { readonly project_id: string }) {
  return useAnswer('get_project', { project_id }).data?.name ?? '…';
}

const serviceTabs = [
  ['/models', 'Models'],
  ['/budget', 'Budget and costs'],
  ['/team', 'Team and tokens'],
  ['/audit', 'Audit log'],
] as const;

function ServiceTabs() {
  return (
    <>
      <Link to="/" className="tab" activeOptions={{ exact: true }}>
        Projects
      </Link>
      {serviceTabs.map(([to, title]) => (
        <Link key={to} to={to} className="tab">
          {title}
        </Link>
      ))}
    </>
  );
}

const projectTabs = [
  ['/projects/$projectId/sources', 'Sources'],
  ['/projects/$projectId/episodes', 'Episodes'],
  ['/projects/$projectId/search', 'Search'],
  ['/projects/$projectId/review', 'Review'],
  ['/projects/$projectId/runs', 'Runs and jobs'],
  ['/projects/$projectId/slices', 'Slices'],
  ['/projects/$projectId/curation', 'Curation'],
  ['/projects/$projectId/compare', 'Compare'],
  ['/projects/$projectId/exports', 'Exports'],
  ['/projects/$projectId/certification', 'Certification'],
  ['/projects/$projectId/copilot', 'Copilot'],
  ['/projects/$projectId/settings', 'Settings'],
] as const;

function ProjectTabs({ projectId }: { readonly projectId: string }) {
  const params = { projectId };
  return (
    <>
      <Link to="/projects/$projectId" params={params} className="tab" activeOptions={{ exact: true }}>
        Overview
      </Link>
      {projectTabs.map(([to, title]) => (
        <Link key={to} to={to} params={params} className="tab">
          {title}
        </Link>
      ))}
    </>
  );
}
