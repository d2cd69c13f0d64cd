import { describe, expect, it } from 'vitest';
import type { DeclaredDatasetFacts } from '../comparison.ts';
import { declaredPictures } from './declared-pictures.ts';

const facts: DeclaredDatasetFacts = { declared_rate_hz: 30, declared_cameras: [] };
const conclude = (...looks: readonly string[]) =>
  declaredPictures.conclude(
    looks.map((look, i) => ({ episode: `episode_${i}`, row: { top: look.replaceAll(' ', '\n') } })),
    facts,
  );

describe('declared pictures', () => {
  it('give no finding if sizes agree and browsers can play the codec', () => {
    const { findings, notes } = conclude('640x480 640x480 av1', '640x480 640x480 h264');
    expect(findings).toEqual([]);
    expect([...notes]).toEqual([]);
  });

  it('note the episode unlike the others', () => {
    const { findings, notes } = conclude(
      ...['640x480 640x480 h264', '320x240 640x480 h264', '640x480 640x480 h264'],
    );
    expect(findings).toEqual([]);
    expect([...notes]).toEqual([['episode_1', { usual_size_px: { top: '640x480' } }]]);
  });

  it('believe the declared size where most episodes have another', () => {
    const { findings, notes } = conclude(
      '320x240 640x480 h264',
      '320x240 640x480 h264',
      '640x480 640x480 h264',
    );
    expect(findings).toEqual([]);
    expect([...notes.keys()]).toEqual(['episode_0', 'episode_1']);
  });

  it('report a wrong declaration for the dataset, not for its episodes', () => {
    const { findings, notes } = conclude('640x480 320x240 h264', '640x480 320x240 h264');
    expect(findings).toMatchObject([{ code: 'picture_size_wrong', severity: 'error' }]);
    expect([...notes]).toEqual([]);
  });

  it('compare an individually labelled picture with its labels, not with the other pictures', () => {
    const { findings, notes } = conclude('640x427 640x480  own', '500x375 375x500  own');
    expect(findings).toEqual([]);
    expect([...notes]).toEqual([
      ['episode_0', { usual_size_px: { top: '640x480' } }],
      ['episode_1', { usual_size_px: { top: '375x500' } }],
    ]);
  });

  it('report exchanged height and width', () => {
    const { findings } = conclude('640x480 480x640 h264');
    expect(findings).toMatchObject([{ code: 'picture_shape_turned' }]);
  });

  it('report a codec that browsers cannot play, as information', () => {
    const { findings } = conclude('640x480 640x480 mpeg4', '640x480 640x480 mpeg4');
    expect(findings).toMatchObject([{ code: 'video_codec_unshown', severity: 'info' }]);
  });
});
