import { featuresOf } from '../draft/draft.ts';
import { changed, type Mend } from './mend.ts';

/** Pictures of a take that was never finished leave the set: the next recording would be encoded with them. */
export const stagingPictures: Mend = {
  id: 'staging-pictures',
  title: 'Pictures of unfinished takes in images/ leave the set; the journal keeps them',
  answers: ['pictures_left_behind'],
  run: (draft) => {
    if ([...featuresOf(draft.info.value).values()].some(({ dtype }) => dtype === 'image')) return;
    const left = draft.paths.filter((path) => /^images\/.*\.(png|jpe?g)$/i.test(path));
    const folders = Map.groupBy(left, (path) => path.slice(0, path.lastIndexOf('/')));
    for (const [folder, pictures] of folders) {
      for (const path of pictures) draft.removed.add(path);
      changed(draft, stagingPictures, ['pictures_left_behind'], {
        path: folder,
        what: `${pictures.length} pictures of an unfinished take`,
        before: 'there',
        after: 'kept in the journal',
      });
    }
  },
};
