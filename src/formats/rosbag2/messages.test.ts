import { zstdCompressSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { bagBytes, bagMetadata, float64Message, levels, levelTime } from '#test/support/db3-files';
import { removeFolders } from '#test/support/mcap-files';
import { codes, lone, onlyEpisode, readFolder, said, upTo, values } from '#test/support/read-bags';

afterAll(removeFolders);

describe('the tables of a bag', () => {
  it.each([1, 2, 3, 4])('are read in schema version %i', async (schema) => {
    const episode = await lone(levels(50, 0, { schema }));
    expect(values(episode)).toEqual(upTo(50));
    expect(episode.start_ns).toBe(String(levelTime(0)));
    expect(episode.duration_s).toBeCloseTo(0.49, 9);
  });

  it('of a version to come are read as far as they are known', async () => {
    const after = 'UPDATE schema SET schema_version = 9';
    expect(said(await lone(levels(3, 0, { after })), 'schema_version_unknown')).toContain('version 9');
  });

  it('with triggers and views are read without running them', async () => {
    const after = `CREATE TRIGGER spy AFTER INSERT ON messages BEGIN DELETE FROM topics; END;
      CREATE VIEW forever AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c`;
    expect(values(await lone(levels(5, 0, { after })))).toEqual(upTo(5));
  });

  it('where messages is a view make the bag unreadable, and that is said', async () => {
    const after = 'ALTER TABLE messages RENAME TO hidden; CREATE VIEW messages AS SELECT * FROM hidden';
    const { items } = await readFolder({ 'level.db3': bagBytes(levels(5, 0, { after })) });
    expect(items).toMatchObject([
      { unreadable: true, finding: { message: expect.stringContaining('a view') } },
    ]);
  });

  it('with rows that cannot be messages name them and go on', async () => {
    const after = `INSERT INTO messages VALUES (NULL, 99, 1, x'00'), (NULL, 1, 'noon', x'00'), (NULL, 1, 1, NULL + 1)`;
    const bag = levels(5, 0, { after: after.replace(', (NULL, 1, 1, NULL + 1)', '') });
    const episode = await lone(bag);
    expect(values(episode)).toEqual(upTo(5));
    expect(said(episode, 'topic_unknown')).toContain('topic 99');
    expect(codes(episode)).toContain('record_invalid');
  });

  it('of another program are left alone', async () => {
    const foreign = { after: 'DROP TABLE topics' };
    await expect(readFolder({ 'level.db3': bagBytes(levels(5, 0, foreign)) })).rejects.toThrow(
      'no supported recording',
    );
  });
});

describe('messages of a bag', () => {
  it('in no order are put in the order of their times', async () => {
    const messages = [3, 1, 0, 2].map((i) => [0, levelTime(i), float64Message(i)] as const);
    const episode = await lone(levels(0, 0, { messages }));
    expect(values(episode)).toEqual([0, 1, 2, 3]);
    expect(codes(episode)).toContain('chunks_out_of_time_order');
    expect(codes(episode)).not.toContain('log_time_out_of_order');
  });

  it('whose clock was set back are put in order too, with a warning', async () => {
    const messages = [500, 501, 0, 1].map((i) => [0, levelTime(i), float64Message(i)] as const);
    const episode = await lone(levels(0, 0, { messages }));
    expect(values(episode)).toEqual([0, 1, 500, 501]);
    expect(said(episode, 'log_time_out_of_order')).toContain('5.01 s');
  });

  it('compressed one by one are inflated', async () => {
    const messages = upTo(20).map((i) => [0, levelTime(i), zstdCompressSync(float64Message(i))] as const);
    const files = {
      'bag/bag_0.db3': bagBytes(levels(0, 0, { messages })),
      'bag/metadata.yaml': bagMetadata({
        version: 5,
        files: ['bag_0.db3'],
        messages: 20,
        compression: 'message',
      }),
    };
    expect(values(await onlyEpisode(files))).toEqual(upTo(20));
  });

  it('of types that neither the bag nor ROS 2 defines are counted, and topic, type and remedy named', async () => {
    const episode = await lone(levels(9, 0, { topics: [{ name: '/grip', type: 'my_robot/msg/Grip' }] }));
    expect(episode.streams.map(({ id, modality, sample_count }) => [id, modality, sample_count])).toEqual([
      ['/grip', 'opaque', 9],
    ]);
    const finding = episode.findings.find(({ code }) => code === 'schema_unreadable');
    expect(finding?.message).toContain('/grip (my_robot/msg/Grip)');
    expect(finding?.advice).toContain('ros2 bag convert');
  });

  it('of the same types are decoded where the bag defines them', async () => {
    const topics = [{ name: '/grip', type: 'my_robot/msg/Grip', definition: 'float64 width' }];
    const episode = await lone(levels(9, 0, { topics }));
    expect(episode.streams[0].names).toEqual(['width']);
    expect(codes(episode)).not.toContain('definition_builtin');
  });

  it('of standard types say that the built-in definition was used', async () => {
    expect(said(await lone(levels(2)), 'definition_builtin')).toContain('/level (std_msgs/msg/Float64)');
  });

  it('by a definition that does not fit are read by the one that does', async () => {
    const topics = [{ name: '/level', type: 'std_msgs/msg/Float64', definition: 'uint8 level' }];
    const episode = await lone(levels(4, 0, { topics }));
    expect(values(episode)).toEqual(upTo(4));
    expect(codes(episode)).toContain('definition_misfit');
  });

  it.each([
    ['in the file', 'wrong_format', 'cdr'],
    ['in metadata.yaml', 'cdr', 'wrong_format'],
  ])('serialized otherwise than in cdr, %s, are counted and not read', async (_, format, said) => {
    const topics = [{ name: '/level', type: 'std_msgs/msg/Float64', format }];
    const episode = await onlyEpisode({
      'bag/bag_0.db3': bagBytes(levels(4, 0, { topics })),
      'bag/metadata.yaml': bagMetadata({ version: 4, files: ['bag_0.db3'], messages: 4, format: said }),
    });
    expect(episode.streams[0].modality).toBe('opaque');
    expect(codes(episode)).toContain('serialization_contradictory');
  });

  it('of a latched topic may be older than the recording', async () => {
    const topics = [{ name: '/level', type: 'std_msgs/msg/Float64', qos: '- history: 3\n  durability: 1' }];
    expect(values(await lone(levels(3, 0, { topics })))).toEqual([0, 1, 2]);
  });
});
