import { describe, expect, it } from 'vitest';
import { lerobotFileNames } from './lerobot-file-names.ts';
import { readIndex } from './locate.ts';

const page = (text: string, type = 'text/html; charset=utf-8') => {
  const { files, folders } = readIndex({
    url: new URL('https://host.test/recordings/set/'),
    status: 200,
    headers: new Headers({ 'content-type': type }),
    text,
  });
  return { files: files.map(({ pathname }) => pathname), folders: folders.map(({ pathname }) => pathname) };
};

const listed = {
  files: ['/recordings/set/a%20b%26c.mcap'],
  folders: ['/recordings/set/videos/'],
};

describe('a page that lists a folder', () => {
  it.each([
    [
      'nginx',
      '<html><head><title>Index of /recordings/set/</title></head><body><h1>Index of /recordings/set/</h1><hr><pre><a href="../">../</a>\n<a href="videos/">videos/</a>   01-Nov-2026 10:00    -\n<a href="a%20b%26c.mcap">a b&amp;c.mcap</a>   01-Nov-2026 10:00   1024\n</pre></body></html>',
    ],
    [
      'Apache',
      '<table><tr><th><a href="?C=N;O=D">Name</a></th></tr><tr><td><a href="/recordings/">Parent Directory</a></td></tr><tr><td><a href="videos/">videos/</a></td></tr><tr><td><a href="a%20b%26c.mcap">a b&amp;c.mcap</a></td></tr></table>',
    ],
    [
      'Python',
      "<ul>\n<li><a href='a%20b%26c.mcap'>a b&amp;c.mcap</a></li>\n<li><a href=videos/>videos/</a></li>\n</ul>",
    ],
    [
      'a server that writes whole addresses',
      '<a href="https://host.test/recordings/set/videos/">v</a><A HREF="/recordings/set/a%20b%26c.mcap">a</A>',
    ],
  ])('is read as %s writes it', (_, text) => {
    expect(page(text)).toEqual(listed);
  });

  it.each([
    [
      'nginx',
      [
        { name: 'videos', type: 'directory' },
        { name: 'a b&c.mcap', type: 'file', size: 3 },
      ],
    ],
    [
      'Caddy',
      [
        { name: 'videos/', is_dir: true },
        { name: 'a b&c.mcap', is_dir: false, url: './a' },
      ],
    ],
  ])('is read as the JSON of %s', (_, rows) => {
    expect(page(JSON.stringify(rows), 'application/json')).toEqual(listed);
  });

  it('leads nowhere but directly below', () => {
    const links = [
      '../x',
      '/etc/passwd',
      'https://other.test/recordings/set/x',
      'a/../../y',
      'javascript:x',
      '#a',
    ];
    const deep = ['a/b/c.mcap', '//other.test/x', 'x?y=1', 'file:///etc/passwd', './', '%2e%2e/x'];
    const text = [...links, ...deep].map((link) => `<a href="${link}">x</a>`).join('');
    expect(page(text)).toEqual({ files: [], folders: [] });
    expect(page('[{"name": "../../x"}]', 'application/json').files).toEqual(['/recordings/set/..%2F..%2Fx']);
  });
});

describe('the names of a LeRobot set', () => {
  const features = { 'observation.images.top': { dtype: 'video' }, action: { dtype: 'float32' } };

  it('come from its templates, by episode or by file', async () => {
    const v2 = {
      ...{ total_episodes: 2, chunks_size: 1, features },
      data_path: 'data/chunk-{episode_chunk:03d}/episode_{episode_index:06d}.parquet',
      video_path: 'videos/{video_key}/{episode_index}.mp4',
    };
    expect((await lerobotFileNames(v2, async () => [])).slice(-4)).toEqual([
      'data/chunk-000/episode_000000.parquet',
      'videos/observation.images.top/0.mp4',
      'data/chunk-001/episode_000001.parquet',
      'videos/observation.images.top/1.mp4',
    ]);
    const there = new Set(['data/0/0.parquet', 'data/0/1.parquet', 'data/1/0.parquet']);
    const v3 = { features, data_path: 'data/{chunk_index}/{file_index}.parquet' };
    const names = await lerobotFileNames(v3, async (paths) => paths.map((path) => there.has(path)));
    expect(names.filter((name) => name.startsWith('data/'))).toEqual([...there]);
  });

  it('are none, and end, where it says nothing or lies', async () => {
    const always = async (paths: readonly string[]) => paths.map(() => true);
    for (const info of [null, 7, 'x', {}, { data_path: 3 }])
      expect(await lerobotFileNames(info, always)).toEqual([]);
    const endless = { data_path: 'data/one.parquet', features };
    expect((await lerobotFileNames(endless, always)).filter((name) => name.startsWith('data/'))).toHaveLength(
      1,
    );
  });
});
