import { Link, Outlet, useLocation, useParams } from '@tanstack/react-router';
import { Activity, lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { useAnswer } from '../api/use-answer.ts';
import { Account } from './account.tsx';
import { Connection } from './connection.tsx';
import { Faults } from './faults.tsx';
import { RunNotices } from './run-notices.tsx';
import { SessionGate } from './session.tsx';

const CopilotPanel = lazy(async () => {
  const { CopilotPanel: component } = await import('./copilot-panel.tsx');
  return { default: component };
});

/** Layout around every screen. */
export function Shell() {
  const { projectId } = useParams({ strict: false });
  const path = useLocation({ select: ({ pathname }) => pathname });
  const [isOpen, setOpen] = useState(false);
  /** Project whose chat is kept while the panel is closed. */
  const [chatProject, setChatProject] = useState<string>();
  const toggle = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    setChatProject(projectId);
    toggle.current?.focus();
  };
  // The copilot's own screen has its chats: there the panel is inactive, which stops its answer but keeps its chat.
  const hasPanel = projectId !== undefined && !path.endsWith('/copilot');
  const panel = projectId !== undefined && (isOpen || chatProject === projectId) && (
    <Activity key={projectId} mode={hasPanel ? 'visible' : 'hidden'}>
      <CopilotPanel project_id={projectId} isOpen={isOpen} onClose={close} />
    </Activity>
  );
  return (
    <SessionGate>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <div className={isOpen && hasPanel ? 'beside-copilot' : undefined}>
        <Top>
          {hasPanel && (
            <button
              ref={toggle}
              type="button"
              className="quiet"
              aria-expanded={isOpen}
              aria-controls="copilot-panel"
              onClick={() => (isOpen ? close() : setOpen(true))}
            >
              Ask copilot
            </button>
          )}
        </Top>
        <Connection />
        <Faults />
        {projectId !== undefined && <RunNotices key={projectId} project_id={projectId} />}
        <Outlet />
      </div>
      <Suspense>{panel}</Suspense>
    </SessionGate>
  );
}

/** Header with the project, the user and the tabs; `children` are shown beside the user. */
function Top({ children }: { readonly children: ReactNode }) {
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
        {children}
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
  ['/notifications', 'Notifications'],
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
