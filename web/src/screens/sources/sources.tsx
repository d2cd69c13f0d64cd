import { getRouteApi } from '@tanstack/react-router';
import { useList } from '../../api/use-answer.ts';
import { Loaded } from '../../components/loaded.tsx';
import { More } from '../../components/more.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { AddSource } from './add-source.tsx';
import { SourceList } from './source-list.tsx';
import { DropZone } from './uploads/drop-zone.tsx';
import { UploadList } from './uploads/upload-list.tsx';

const route = getRouteApi('/projects/$projectId/sources');

/** Screen of the project's sources, uploads and their runs. */
export function SourcesScreen() {
  const { projectId: project_id } = route.useParams();
  const sources = useList('list_sources', { project_id, limit: 100 }, { every_ms: 5000 });
  return (
    <Page
      title="Sources"
      note="Recordings stay where they are. A run reads them and stores only measurements and decisions."
    >
      <Panel title="All sources">
        <Loaded of={sources} what="the sources">
          {(items) => <SourceList project_id={project_id} sources={items} />}
        </Loaded>
        <More list={sources} what="sources" />
      </Panel>
      <Panel title="Upload recordings">
        <DropZone project_id={project_id} />
        <UploadList project_id={project_id} />
      </Panel>
      <AddSource project_id={project_id} />
    </Page>
  );
}
